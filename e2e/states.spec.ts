import { expect, signIn, test } from "./gateway.ts";

/** Every list, what it asks the gateway for, and what it says when there is nothing. */
const LISTS = [
  { path: "/", asks: "terminals.list", empty: "No terminals yet" },
  { path: "/approvals", asks: "approvals.list", empty: "Nothing is waiting for you" },
  { path: "/clients", asks: "clients.sessions", empty: "No client asks yet" },
  { path: "/audit?text=no-such-word", asks: "audit.search", empty: "Nothing on record matches." },
  { path: "/audit?view=charts", asks: "audit.charts", empty: "Nothing was asked." },
  { path: "/replays", asks: "recordings.page", empty: "Nothing is recorded yet." },
  { path: "/trash", asks: "trash.list", empty: "Nothing is in the trash." },
  { path: "/agents", asks: "agents.list", empty: "No agents yet." },
  { path: "/people", asks: "people.list", empty: "Admin" },
  { path: "/fewer-questions", asks: "policy.fewerQuestions", empty: "Nothing to suggest" },
  { path: "/policy", asks: "policy.get", empty: "Rules" },
  { path: "/settings", asks: "webhooks.list", empty: "No webhooks yet." },
] as const;

test("W11 every list says when it is loading, when it failed and how to try again, and when it is empty", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const main = page.getByRole("main");
  for (const { path, asks, empty } of LISTS) {
    await test.step(path, async () => {
      let state: "slow" | "failing" | "well" = "slow";
      let goOn = () => {};
      const released = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const calls = new RegExp(`/trpc/[^?]*\\b${asks.replace(".", "\\.")}\\b`);
      await page.route(calls, async (route) => {
        if (state === "slow") await released;
        if (state === "well") return route.continue();
        // Only this one fails, whatever else is asked in the same request.
        const names = new URL(route.request().url()).pathname.replace("/trpc/", "").split(",");
        const answer = await route.fetch();
        const answers = (await answer.json()) as unknown[];
        const error = { message: "The disk is full.", code: -32603, data: { code: "FORBIDDEN", httpStatus: 403 } };
        await route.fulfill({
          status: 207,
          json: names.map((name, index) => (name === asks ? { error } : answers[index])),
        });
      });

      await page.goto(gateway.url + path);
      await expect(page.getByText(/^(Loading|Working through)/).first()).toBeVisible();
      state = "failing";
      goOn();
      const alert = page.getByRole("alert").filter({ hasText: "The disk is full." }).first();
      await expect(alert).toBeVisible();
      const again = alert.getByRole("button", { name: "Try again" });
      await expect(again).toBeEnabled();
      state = "well";
      // Some lists also try again by themselves.
      await expect(async () => {
        if (await again.isVisible()) await again.click({ timeout: 1000 });
        expect(await alert.count()).toBe(0);
      }).toPass();
      await expect(main.getByText(empty).first()).toBeVisible();
      await page.unroute(calls);
    });
  }
});
