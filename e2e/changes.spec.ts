import { expectAccessible } from "./accessible.ts";
import { onEachDevice } from "./devices.ts";
import { expect, run, signIn, test } from "./gateway.ts";

onEachDevice((device) => {
  test(`W15 X9 what a command changed is shown in the timeline and undone, on a ${device}`, async ({
    page,
    gateway,
  }) => {
    const agent = await gateway.connectAgent("builder");
    await run(agent, "printf 'one\\ntwo\\nthree\\n' > a.txt; echo bee > b.txt");
    const edited = await run(agent, "sed -i s/two/2/ a.txt; echo wasp > b.txt; echo new > c.txt");
    const terminalId = (edited.structuredContent as { terminal_id: string }).terminal_id;
    await signIn(page, gateway);
    await page.goto(`${gateway.url}/terminal?id=${terminalId}`);
    if (device === "phone") await page.getByRole("button", { name: "Commands" }).click();

    await page.getByRole("button", { name: "changed 2 files, +3 −2, created 1" }).click();
    const dialog = page.getByRole("dialog", { name: "What it changed" });
    await dialog.getByRole("button", { name: /a\.txt/ }).click();
    await expect(dialog.getByRole("region", { name: "Difference of a.txt" })).toContainText("- two");
    await expect(dialog.getByRole("region", { name: "Difference of a.txt" })).toContainText("+ 2");
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

    // Later edits: elsewhere in one file, and in the changed line of the other.
    await run(agent, "echo four >> a.txt; echo hornet > b.txt");
    await dialog.getByRole("button", { name: "Undo it …" }).click();
    const panel = dialog.getByRole("region", { name: "Undo it" });
    await expect(panel.getByRole("group", { name: "Changed since" })).toContainText("b.txt");
    await expect(panel).toContainText("later changes elsewhere in it stay");
    await expect(panel).toContainText("Not undone: what went over the network");
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Undo 2" }).click();
    await expect(dialog).toContainText("It was undone by cmd-");
    const after = await run(agent, "cat a.txt b.txt; ls -1");
    expect((after.structuredContent as { output: string }).output).toBe("one\ntwo\nthree\nfour\nhornet\na.txt\nb.txt");

    await dialog.getByRole("button", { name: "Undo it …" }).click();
    await panel.getByRole("checkbox", { name: "Overwrite b.txt" }).check();
    // It is back already, with the later edit merged in.
    await expect(panel.getByRole("checkbox", { name: "Undo a.txt" })).toBeHidden();
    await panel.getByRole("button", { name: "Undo 1" }).click();
    await expect(panel).toBeHidden();
    const last = await run(agent, "cat b.txt");
    expect((last.structuredContent as { output: string }).output).toBe("bee");
    await agent.close();
  });
});

test("W15 an approval and the record show what the command changed", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  await run(agent, "echo 1 > one.txt");
  const reply = run(agent, "find . -name one.txt -delete");
  await page.getByRole("link", { name: /Approvals\s*1/ }).click();
  const asks = page.getByRole("region", { name: "builder asks" });
  await asks.getByRole("button", { name: "Run once" }).click();
  await asks.getByRole("button", { name: "Yes, run it" }).click();
  await reply;
  await expect(page.getByRole("button", { name: "deleted 1 file, −1" })).toBeVisible();

  await page.goto(`${gateway.url}/audit`);
  await page.getByText("changed files").first().click();
  await page.getByRole("button", { name: "deleted 1 file, −1", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "What it changed" })).toContainText("one.txt");
  await agent.close();
});
