import { existsSync } from "node:fs";
import { expectAccessible } from "./accessible.ts";
import { expect, run, signIn, test } from "./gateway.ts";

test.use({ security: { isolation: "sandbox" } });
test.skip(!existsSync("/usr/bin/bwrap"), "There is no /usr/bin/bwrap, so no agent can be put in a sandbox.");

/** Waits for the answer about its connection, until it is to give up. */
const CONNECT = `exec 3<>/dev/tcp/127.0.0.1/3128
printf 'CONNECT belay-none.invalid:443 HTTP/1.1\\r\\n\\r\\n' >&3
until [ -e give-up ]; do read -r -t 0.1 _ <&3; done
`;

for (const [name, viewport] of [
  ["desktop", { width: 1280, height: 800 }],
  ["phone", { width: 390, height: 844 }],
] as const) {
  test(`C4 W3 the card of a connection says that its program is gone, without a reload (${name})`, async ({
    page,
    gateway,
  }) => {
    await page.setViewportSize(viewport);
    await signIn(page, gateway);
    gateway.writeFile("connect.sh", CONNECT);
    const agent = await gateway.connectAgent("builder");
    await page.goto(`${gateway.url}/approvals`);
    const running = run(agent, "bash connect.sh");
    const card = page.getByRole("region", { name: "builder asks" });
    await expect(card).toContainText("connect-to belay-none.invalid:443");
    await expect(page.getByRole("button", { name: "Allow once" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Edit" })).toBeHidden();
    await expectAccessible(page);

    gateway.writeFile("give-up", "");
    await running;

    await expect(page.getByText("Its program has ended, or has given up connecting.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Allow once" })).toBeHidden();
    await expectAccessible(page);
    await agent.close();
  });
}
