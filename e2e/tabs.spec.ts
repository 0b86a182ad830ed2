import { expect, signIn, test } from "./gateway.ts";

/** More than a browser connects to one server over HTTP/1.1. */
const TABS = 8;

test("W11 any number of tabs is live, over one connection, and the next takes over when its tab is closed", async ({
  page,
  context,
  gateway,
}) => {
  let connections = 0;
  context.on("request", (request) => {
    if (request.url().includes("/trpc/events.all")) connections += 1;
  });
  await signIn(page, gateway);
  const tabs = [];
  for (let tab = 0; tab < TABS; tab += 1) {
    const opened = await context.newPage();
    await opened.goto(`${gateway.url}/settings`);
    await expect(opened.getByRole("button", { name: "Freeze all" })).toBeVisible();
    tabs.push(opened);
  }
  expect(connections).toBe(1);

  await gateway.freeze();
  for (const tab of tabs) await expect(tab.getByText("Every agent is frozen")).toBeVisible();

  await page.close();
  await expect.poll(() => connections).toBe(2);
  const [first] = tabs;
  await first?.getByRole("button", { name: "Release all" }).click();
  await first?.getByRole("button", { name: "Release them" }).click();
  for (const tab of tabs) await expect(tab.getByText("Every agent is frozen")).toBeHidden();
});
