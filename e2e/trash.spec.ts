import { expect, run, signIn, test } from "./gateway.ts";

test("D9 files that an agent removed are in the trash, and can be restored or deleted for good", async ({
  page,
  gateway,
}) => {
  const agent = await gateway.connectAgent("builder");
  await run(agent, "mkdir -p dist/out && touch dist/out/one && mkdir -p build && touch build/two");
  await run(agent, "rm -r dist");
  await run(agent, "rm -r build");
  await signIn(page, gateway);
  await page.getByRole("link", { name: "Trash" }).click();
  await expect(page.getByText(/^2 things, \d/)).toBeVisible();
  await page.getByLabel("Search the trash").fill("dist");
  await expect(page).toHaveURL(/search=dist/);
  await page.getByRole("button", { name: /^Restore .*\/dist$/ }).click();
  await expect(page.getByText(/\/dist is back\.$/)).toBeVisible();
  const listed = (await run(agent, "ls dist/out")) as { structuredContent?: { output?: string } };
  expect(listed.structuredContent?.output).toContain("one");

  await page.getByLabel("Search the trash").fill("");
  await page.getByRole("button", { name: "Empty" }).click();
  await page.getByRole("dialog").getByText("all of it", { exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete for good" }).click();
  await expect(page.getByText("Nothing is in the trash.")).toBeVisible();
  await agent.close();
});
