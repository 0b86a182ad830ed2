import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expectAccessible } from "./accessible.ts";
import { call, expect, run, signIn, test } from "./gateway.ts";

const BELAY = fileURLToPath(new URL("../apps/agent-gateway/bin/belay.mjs", import.meta.url));

test("W14 an admin adds a machine in the console, sees what happens there alone, and locks it out", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  await page.goto(`${gateway.url}/machines`);
  await expect(page.getByText("All terminals run on the gateway's own machine")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New machine" }).click();
  await page.getByLabel("Name").fill("build-1");
  await page.getByRole("button", { name: "Make a token" }).click();
  const command = (await page.getByText(/BELAY_JOIN_TOKEN=/).textContent()) ?? "";
  const token = /BELAY_JOIN_TOKEN=(\S+)/.exec(command)?.[1] ?? "";
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /build-1.*not joined yet/s })).toBeVisible();

  const machine = await joinMachine(gateway.url, token);
  try {
    await page.getByRole("button", { name: /build-1.*connected/s }).click();
    const detail = page.getByRole("region", { name: "Machine build-1" });
    // Beside the detail there is less room for the row's columns.
    await expect(page.getByRole("list", { name: "Machines" }).getByText("build-1", { exact: true })).toBeVisible();
    await expect(detail.getByText(/on \d+ processors?, \d+ % of the memory/)).toBeVisible();
    await expectAccessible(page);

    // Approvals and the record can be narrowed to it, and the address holds that.
    const added = await call(page, gateway, "agents.add", { name: "there", machines: "build-1" });
    const there = await gateway.connect("there", (added as { token: string }).token);
    const here = await gateway.connectAgent("here");
    const replies = [run(there, "invented-tool --there"), run(here, "invented-tool --here")];
    await page.goto(`${gateway.url}/approvals`);
    await expect(page.getByRole("link", { name: /Approvals\s*2/ })).toBeVisible();
    await page.getByLabel("Machine", { exact: true }).selectOption("build-1");
    await expect(page.getByText("1 waiting, 1 more on other machines")).toBeVisible();
    await page.reload();
    await expect(page.getByRole("region", { name: "there asks" })).toBeVisible();
    await page.getByLabel("Machine", { exact: true }).selectOption("gateway");
    await expect(page.getByRole("region", { name: "here asks" })).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${gateway.url}/audit?kind=command.opened`);
    const rows = page.getByRole("list", { name: "Rows, newest first" });
    await expect(rows).toContainText("--there");
    await page.getByLabel("Machine", { exact: true }).selectOption("build-1");
    await expect(rows).not.toContainText("--here");
    await expect(rows).toContainText("--there");
    await expect(page).toHaveURL(/machine=build-1/);
    await gateway.freeze();
    await Promise.all([...replies, there.close(), here.close()].map((ending) => ending.catch(() => {})));

    await page.goto(`${gateway.url}/machines?id=build-1`);
    await detail.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await expect(page.getByRole("button", { name: /build-1.*revoked/s })).toBeVisible();
    expect(await machine.ended).toBe(1);
  } finally {
    await machine.stop();
  }
});

async function joinMachine(url: string, token: string) {
  const folder = await mkdtemp(join(tmpdir(), "belay-machine-"));
  const child: ChildProcess = spawn(process.execPath, [BELAY, "host", "--join", url], {
    env: { PATH: process.env.PATH, HOME: folder, BELAY_DATA_DIR: join(folder, "data"), BELAY_JOIN_TOKEN: token },
    cwd: folder,
    stdio: "ignore",
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    ended,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
