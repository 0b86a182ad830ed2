import { expect, signIn, test } from "./gateway.ts";

/** Every list, what it asks the gateway for, and what it says while it waits and when there is nothing. */
const LISTS = [
  { path: "/", asks: "terminals.list", loading: "Loading terminals …", empty: "No terminals yet" },
  { path: "/approvals", asks: "approvals.list", loading: "Loading approvals …", empty: "Nothing is waiting for you" },
  { path: "/clients", asks: "clients.sessions", loading: "Loading clients …", empty: "No client asks yet" },
  {
    path: "/audit?text=no-such-word",
    asks: "audit.search",
    loading: "Loading the record …",
    empty: "Nothing on record matches.",
  },
  { path: "/audit?view=charts", asks: "audit.charts", loading: "Loading charts …", empty: "Nothing was asked." },
  { path: "/replays", asks: "recordings.page", loading: "Loading recordings …", empty: "Nothing is recorded yet." },
  { path: "/trash", asks: "trash.list", loading: "Loading the trash …", empty: "Nothing is in the trash." },
  { path: "/agents", asks: "agents.list", loading: "Loading agents …", empty: "No agents yet." },
  { path: "/people", asks: "people.list", loading: "Loading people …", empty: "Admin" },
  {
    path: "/fewer-questions",
    asks: "policy.fewerQuestions",
    loading: "Reading what was asked, refused and run …",
    empty: "Nothing to suggest",
  },
  { path: "/policy", asks: "policy.get", loading: "Loading the policy …", empty: "Rules" },
  { path: "/settings", asks: "webhooks.list", loading: "Loading webhooks …", empty: "No webhooks yet." },
] as const;

test("W11 every list says when it is loading, when it failed and how to try again, and when it is empty", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const main = page.getByRole("main");
  for (const { path, asks, loading, empty } of LISTS) {
    await test.step(path, async () => {
      let state: "slow" | "failing" | "well" = "slow";
      let goOn = () => {};
      const released = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      let onAsked = () => {};
      const asked = new Promise<void>((resolve) => {
        onAsked = resolve;
      });
      const calls = new RegExp(`/trpc/[^?]*\\b${asks.replace(".", "\\.")}\\b`);
      await page.route(calls, async (route) => {
        onAsked();
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
      // What is shown before that belongs to the frame, and is gone before a busy machine has looked.
      await asked;
      await expect(page.getByText(loading).first()).toBeVisible();
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
