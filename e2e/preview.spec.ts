import { expectAccessible } from "./accessible.ts";
import { onEachDevice } from "./devices.ts";
import { expect, readToTheEnd, run, signIn, test } from "./gateway.ts";

/** Asked about, because nothing is known of the program; then it changes, deletes and prints. */
const COMMAND = "some-unknown-program 2>/dev/null; sed -i s/two/2/ a.txt; rm -r build; echo all done; (exit 3)";

onEachDevice((device) => {
  test(`X13 an approval is previewed, applied, shown in the timeline and undone, on a ${device}`, async ({
    page,
    gateway,
  }) => {
    const agent = await gateway.connectAgent("builder");
    const first = await run(agent, "printf 'one\\ntwo\\n' > a.txt; mkdir build; touch build/{1..12}.o; ls");
    const terminalId = (first.structuredContent as { terminal_id: string }).terminal_id;
    await signIn(page, gateway);
    const reply = run(agent, COMMAND);
    await page.getByRole("link", { name: /Approvals\s*1/ }).click();
    const asks = page.getByRole("region", { name: "builder asks" });
    const preview = asks.getByRole("region", { name: "Preview" });
    await expect(preview.getByRole("button", { name: "Preview" }).or(preview.getByText("No preview."))).toBeVisible();
    test.skip(await preview.getByText("No preview.").isVisible(), "This machine cannot lay layers over folders.");

    await preview.getByRole("button", { name: "Preview" }).click();
    await expect(preview).toContainText("Deletes 12 files under build/, changes 1");
    await expect(preview).toContainText("exit 3");
    await expect(preview.getByRole("region", { name: "What it printed" })).toContainText("all done");
    await preview.getByRole("button", { name: /a\.txt/ }).click();
    await expect(preview.getByRole("region", { name: "Difference of a.txt" })).toContainText("+ 2");
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

    // Another file changes meanwhile: what was shown may no longer hold.
    gateway.writeFile("other.txt", "new\n");
    await readToTheEnd(asks);
    await asks.getByRole("button", { name: "Apply what is shown" }).click();
    await expect(asks.getByRole("alert")).toContainText("Files have changed since the preview");
    await preview.getByRole("button", { name: "Preview again" }).click();
    // Until the new preview is there, the old one is refused.
    await expect(async () => {
      await readToTheEnd(asks);
      await asks.getByRole("button", { name: "Apply what is shown" }).click({ timeout: 5_000 });
      await expect(page.getByText("Applied as shown: exit 3").first()).toBeVisible({ timeout: 5_000 });
    }).toPass();
    // On a slow machine, the call was answered before the person was.
    const { handle_id } = (await reply).structuredContent as { handle_id?: string };
    const ended = handle_id ? await agent.callTool({ name: "terminal", arguments: { handle_id } }) : await reply;
    expect(ended.structuredContent).toMatchObject({ exit_code: 3, output: "all done" });

    await page.goto(`${gateway.url}/terminal?id=${terminalId}`);
    if (device === "phone") await page.getByRole("button", { name: "Commands" }).click();
    await page.getByRole("button", { name: "changed 1 file, +1 −1, deleted 12" }).click();
    const dialog = page.getByRole("dialog", { name: "What it changed" });
    await dialog.getByRole("button", { name: "Undo it …" }).click();
    await dialog.getByRole("button", { name: "Undo 14" }).click();
    await expect(dialog).toContainText("It was undone by cmd-");
    const after = await run(agent, "cat a.txt; ls build | wc -l");
    expect((after.structuredContent as { output: string }).output).toBe("one\ntwo\n12");
    await agent.close();
  });
});

test("X13 what changes its shell can only be run for real", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const reply = run(agent, "some-unknown-program 2>/dev/null; mkdir -p made; cd made");
  await page.getByRole("link", { name: /Approvals\s*1/ }).click();
  const asks = page.getByRole("region", { name: "builder asks" });
  await asks.getByRole("button", { name: "Preview" }).click();
  await expect(asks).toContainText("It also changes its shell: its folder.");
  await expect(asks.getByRole("button", { name: "Apply what is shown" })).toBeHidden();
  await asks.getByRole("button", { name: "Run once" }).click();

  await reply;
  expect((await run(agent, "pwd")).structuredContent).toMatchObject({ output: expect.stringMatching(/\/made$/) });
  await agent.close();
});
