import { VIEWPORTS } from "./devices.ts";
import { expect, run, signIn, test } from "./gateway.ts";

/** Every page, and the role that it needs. */
const PAGES = [
  { path: "/", title: "Terminals", needs: "viewer" },
  { path: "/approvals", title: "Approvals", needs: "viewer" },
  { path: "/clients", title: "Clients", needs: "viewer" },
  { path: "/machines", title: "Machines", needs: "viewer" },
  { path: "/audit", title: "Audit", needs: "operator" },
  { path: "/audit?view=charts", title: "Audit", needs: "operator" },
  { path: "/replays", title: "Replays", needs: "viewer" },
  { path: "/trash", title: "Trash", needs: "viewer" },
  { path: "/agents", title: "Agents", needs: "viewer" },
  { path: "/people", title: "People", needs: "admin" },
  { path: "/policy", title: "Policy", needs: "viewer" },
  { path: "/fewer-questions", title: "Fewer questions", needs: "admin" },
  { path: "/settings", title: "Settings", needs: "viewer" },
  { path: "/account", title: "Your account", needs: "viewer" },
] as const;
const RANK = { viewer: 0, operator: 1, admin: 2 };

for (const role of ["viewer", "operator"] as const) {
  test(`W8 W11 a page asks the gateway for nothing that ${role}s may not have, and fits a desk and a phone`, async ({
    page,
    gateway,
  }) => {
    const person = await gateway.addPerson("Robin", role);
    const agent = await gateway.connectAgent("builder");
    await run(agent, "echo hello > a.txt; rm a.txt");
    const waiting = run(agent, "invented-tool --check");
    const refused: string[] = [];
    page.on("response", (response) => {
      // 207: one call of several was refused.
      if ([207, 401, 403].includes(response.status())) refused.push(response.url());
    });
    await signIn(page, gateway, person);

    for (const { path, title, needs } of PAGES) {
      const isOpen = RANK[role] >= RANK[needs];
      await page.goto(gateway.url + path);
      const note = page.getByText(`This page needs the role ${needs}.`);
      for (const viewport of [VIEWPORTS.phone, VIEWPORTS.desk]) {
        await page.setViewportSize(viewport);
        await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
        if (isOpen) await expect(note).toBeHidden();
        else await expect(note).toBeVisible();
        // The connection for events stays open, so the page itself says when it has loaded.
        await expect(page.getByRole("main").getByText(/^Loading/)).toHaveCount(0);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), path).toBe(true);
      }
    }

    expect(refused).toEqual([]);
    await gateway.freeze();
    await Promise.all([agent.close(), waiting.catch(() => {})]);
  });
}
