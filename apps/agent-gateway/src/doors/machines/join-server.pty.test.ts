import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROTOCOL, type ProvedClient, shellRequest } from "@belay/core";
import { expect, onTestFinished, test } from "vitest";
import { BY } from "../../testing/machines/joined.ts";
import { startTestGateway } from "../../testing/start-test-gateway.ts";
import { dialGateway } from "./dial.ts";
import { loadIdentity } from "./identity.ts";
import { joinUrl } from "./join-options.ts";

test("G7 once a machine knows that it was let in, the gateway refuses no terminal there as away", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.machines.add("build-1", { hours: 1 }, BY);
  const { socket } = await dial(gateway.url(), token);

  const hasFailed = gateway.terminals.spawn({ ...shellRequest(tmpdir()), machine: "build-1" }).then(
    () => false,
    () => true,
  );
  // The gateway's greeting, which this machine does not answer yet.
  await once(socket, "data");

  expect(await Promise.race([hasFailed, "waits"])).toBe("waits");
  socket.destroy();
  expect(await hasFailed).toBe(true);
});

/** A machine that was let in, and serves nothing. */
async function dial(address: string, token: string): Promise<ProvedClient> {
  const dataDir = await mkdtemp(join(tmpdir(), "belay-machine-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const identity = await loadIdentity(dataDir, token);
  const about = { program: "test", hostname: "test", platform: "test", user: "test", hostId: "host-1" };
  const facts = { ...about, protocol: PROTOCOL, home: "/", workspace: "/", dataDir, path: "" };
  return new Promise((accept, reject) => {
    const url = joinUrl(address, { allowsPlainHttp: false });
    const calls = { accept, say: () => {}, onRefusedForGood: (message: string) => reject(new Error(message)) };
    const dialing = dialGateway({ url, proxy: null, identity, facts, ...calls });
    onTestFinished(() => dialing.stop());
  });
}
