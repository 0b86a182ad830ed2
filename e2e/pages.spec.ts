import { expectAccessible } from "./accessible.ts";
import { onEachDevice } from "./devices.ts";
import { expect, run, signIn, test } from "./gateway.ts";

const PAGES = [
  { path: "/replays", ready: "Replays", open: null },
  { path: "/trash", ready: "Trash", open: null },
  { path: "/audit", ready: "Audit", open: /asked to run/ },
  { path: "/audit?view=charts", ready: "Audit", open: null },
  { path: "/agents", ready: "Agents", open: /builder/ },
  { path: "/people", ready: "People", open: /Admin/ },
  { path: "/account", ready: "Your account", open: null },
];

onEachDevice((device) => {
  test(`W11 lists and their detail panes are accessible, on a ${device}`, async ({ page, gateway }) => {
    const agent = await gateway.connectAgent("builder");
    await run(agent, "echo hello");
    await signIn(page, gateway);
    for (const { path, ready, open } of PAGES) {
      await page.goto(gateway.url + path);
      await expect(page.getByRole("heading", { level: 1, name: ready })).toBeVisible();
      if (open) await expect(page.getByRole("main").getByRole("button", { name: open }).first()).toBeVisible();
      // On a desktop both are side by side and are checked together.
      if (device === "phone" || !open) await expectAccessible(page);
      if (open && device === "desk") {
        await page.getByRole("main").getByRole("button", { name: open }).first().click();
        await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toBeVisible();
        await expectAccessible(page);
      }
      // Nothing is wider than the screen.
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    }
    await agent.close();
  });
});
