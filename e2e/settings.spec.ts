import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expectAccessible } from "./accessible.ts";
import { expect, signIn, test } from "./gateway.ts";
import { useWebhookReceiver } from "./webhook-receiver.ts";

test.describe("settings", () => {
  const receiver = createServer((_, response) => {
    response.statusCode = 410;
    response.end();
  });
  useWebhookReceiver(receiver);

  for (const [device, viewport] of [
    ["a desk", { width: 1440, height: 900 }],
    ["a phone", { width: 390, height: 844 }],
  ] as const) {
    test(`W10 W11 on ${device}: a test notification, webhook deliveries, and information on this installation`, async ({
      page,
      gateway,
      context,
    }) => {
      await context.grantPermissions(["notifications"], { origin: gateway.url });
      await page.setViewportSize(viewport);
      await signIn(page, gateway);
      await page.goto(`${gateway.url}/settings`);
      await page.getByRole("button", { name: "Show a test notification" }).click();
      const shown = () =>
        page.evaluate(async () => {
          const registration = await navigator.serviceWorker.ready;
          return (await registration.getNotifications()).map(({ body }) => body);
        });
      await expect.poll(shown).toEqual(["This is how a waiting command reaches you."]);

      await page.getByLabel("Name").fill("On call");
      await page.getByLabel("Address").fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks/x`);
      await page.getByRole("button", { name: "Add the webhook" }).click();
      await expect(page.getByText("Nothing sent since the gateway started.")).toBeVisible();
      for (const count of [0, 1]) {
        await page.getByRole("button", { name: "Send a test" }).click();
        if (count === 0) await expect(page.getByRole("list", { name: "Webhooks" })).toContainText("answered 410");
      }
      await page.getByText("1 before that, since the gateway started").click();
      await expect(page.getByRole("list", { name: "Earlier deliveries" })).toContainText("The receiver answered 410.");

      // The policy chooses by this name who hears of a question only when it stays unanswered.
      await page.goto(`${gateway.url}/policy`);
      const approval = page.getByRole("region", { name: "Approval" });
      await approval.getByRole("checkbox", { name: "On call" }).check();
      const passOn = approval.getByRole("group", { name: /^Pass on/ });
      await passOn.getByRole("checkbox", { name: "never" }).uncheck();
      await passOn.getByLabel("After minutes").fill("5");
      await page.getByRole("button", { name: "Review and save" }).click();
      await page.getByRole("button", { name: "Save the policy" }).click();
      await expect(page.getByText("Saved. The new policy is in force.")).toBeVisible();
      await page.goto(`${gateway.url}/settings`);
      await expect(page.getByText("hears only of what has been unanswered for 5 minutes")).toBeVisible();

      await expect(page.getByText("Everything works.")).toBeVisible();
      await expect(page.getByText(/^New agents (have no wall|work in)/)).toBeVisible();
      await expect(page.getByText(/audit-checkpoints\.jsonl$/)).toBeVisible();
      await page.getByText(/^Made with \d+ other packages/).click();
      await expect(page.getByRole("list", { name: "Packages" })).toContainText("fastify");
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

      await page.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove it" }).click();
      await expect(page.getByText("No webhooks yet.")).toBeVisible();
      await page.getByRole("link", { name: "Change it in the policy" }).click();
      await expect(page.getByRole("region", { name: "Retention" })).toBeInViewport();
    });
  }
});
