import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expectAccessible } from "./accessible.ts";
import { expect, signIn, test } from "./gateway.ts";

const BELAY = fileURLToPath(new URL("../apps/agent-gateway/bin/belay.mjs", import.meta.url));

test("G7 an admin adds a machine in the console, sees it connect, and locks it out", async ({ page, gateway }) => {
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
    await expect(detail.getByText(/on \d+ processors?, \d+ % of the memory/)).toBeVisible();
    await expectAccessible(page);

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
