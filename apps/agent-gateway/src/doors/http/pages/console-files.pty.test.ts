import { expect, test } from "vitest";
import { startTestGateway } from "../../../testing/start-test-gateway.ts";

test("G1 W11 console files are compressed and cached; other responses are not cached", async () => {
  const gateway = await startTestGateway();
  const page = await fetch(gateway.url(), { headers: { "accept-encoding": "br" } });
  const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(await page.text())?.[1];

  const file = await fetch(gateway.url() + script, { headers: { "accept-encoding": "br" } });
  const answer = await fetch(`${gateway.url()}/trpc/gateway.me`);

  const about = ({ headers }: Response) => [headers.get("content-encoding"), headers.get("cache-control")];
  expect([about(page), about(file), about(answer)]).toEqual([
    ["br", "no-cache"],
    ["br", "public, max-age=31536000, immutable"],
    [null, "no-store"],
  ]);
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self' 'sha256-");
});
