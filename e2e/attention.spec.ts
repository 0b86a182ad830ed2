import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, run, signIn, test } from "./gateway.ts";
import { useWebhookReceiver } from "./webhook-receiver.ts";

test("W10 a waiting approval shows in title and icon, notifies when the tab is hidden, and plays a sound if enabled", async ({
  page,
  gateway,
  context,
}) => {
  await context.grantPermissions(["notifications"], { origin: gateway.url });
  await page.addInitScript(() => {
    // Makes the tab hidden, and counts the sounds.
    Object.defineProperty(document, "visibilityState", { get: () => "hidden", configurable: true });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...args) {
      document.documentElement.dataset.tones = String(Number(document.documentElement.dataset.tones ?? 0) + 1);
      return start.apply(this, args);
    };
  });
  await signIn(page, gateway);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("switch", { name: "Show notifications" }).click();
  await expect(page.getByRole("switch", { name: "Show notifications" })).toBeChecked();
  await page.getByRole("switch", { name: "Sound" }).click();
  const agent = await gateway.connectAgent("builder");

  const reply = run(agent, "invented-tool --check");

  await expect(page).toHaveTitle("(1) Settings · Belay");
  await expect(page.locator("#attention-icon")).toHaveAttribute("href", /^data:image\/svg\+xml,.*%3E1%3C/);
  await expect(page.locator("html")).toHaveAttribute("data-tones", "2");
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body }) => ({ title, body }));
    });
  await expect
    .poll(shown)
    .toEqual([{ title: "builder is waiting for you", body: "unrecognised: invented-tool --check" }]);

  await page.getByRole("link", { name: /Approvals/ }).click();
  // In a hidden tab nothing has been read.
  await expect(page.getByText("Read all of it first")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run once" })).toBeDisabled();
  await page.evaluate(() => Reflect.deleteProperty(document, "visibilityState"));
  await page.getByRole("button", { name: "Run once" }).click();
  await expect(page).toHaveTitle("Approvals · Belay");
  await expect(page.locator("#attention-icon")).toHaveCount(0);
  await reply;
  await agent.close();
});

test.describe("a webhook", () => {
  const received: { headers: IncomingMessage["headers"]; body: string }[] = [];
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.statusCode = received.length === 2 ? 503 : 200; // the first delivery of the approval fails
      response.end();
    });
  });
  useWebhookReceiver(receiver);

  test("W10 sends a signed webhook for a waiting approval, and retries a failed delivery", async ({
    page,
    gateway,
  }) => {
    await signIn(page, gateway);
    await page.goto(`${gateway.url}/settings`);
    await page.getByLabel("Address").fill("http://169.254.169.254/latest");
    await page.getByRole("button", { name: "Add the webhook" }).click();
    await expect(page.getByText(/inside this machine.s own network/)).toBeVisible();
    await page.getByLabel("Address").fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks/secret`);
    await page.getByRole("button", { name: "Add the webhook" }).click();
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? "";
    await page.getByRole("button", { name: "Send a test" }).click();
    await expect(page.getByText("It arrived.")).toBeVisible();

    const agent = await gateway.connectAgent("builder");
    const reply = run(agent, "invented-tool '<b>'");
    await expect.poll(() => received.length).toBe(3);

    const [, refused, arrived] = received;
    expect(arrived?.body).toBe(refused?.body);
    expect(JSON.parse(arrived?.body ?? "")).toMatchObject({
      text: expect.stringMatching(
        /\*builder\* waits for a person: a command\. <http.*\/approvals\?id=apr-.*\|Answer it>/,
      ),
      attachments: [{ text: expect.stringContaining("```invented-tool '&lt;b&gt;'```") }],
    });
    const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = arrived?.headers ?? {};
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    expect(signature).toBe(`v1,${createHmac("sha256", key).update(`${id}.${at}.${arrived?.body}`).digest("base64")}`);

    await page.getByRole("link", { name: /Approvals/ }).click();
    await page.getByRole("button", { name: "Run once" }).click();
    await reply;
    await agent.close();
  });
});
