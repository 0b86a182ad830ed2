import { duplexPair } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { createHostFolder } from "../../testing/test-host.ts";
import { startHostServer } from "../serve/server.ts";
import { PROTOCOL } from "../wire/messages.ts";
import { awaitMachine } from "./machine-host.ts";

const AWAY = 'The machine "build-1" is not connected, so nothing was done.';

test("G7 a call to a machine that was just let in waits until its connection is set up", async () => {
  const { machine, server, changes } = await expectMachine();
  const [near, far] = duplexPair();
  await expect(machine.host.terminals.list()).rejects.toThrow(AWAY);

  machine.connected({ socket: near });
  const listed = machine.host.terminals.list();
  expect([machine.isReachable, machine.isConnected]).toEqual([true, false]);
  server.accept({ socket: far, unseal: (json) => ({ json, isLate: false }), onHeard: () => {} });

  expect(await listed).toEqual([]);
  expect([machine.isReachable, machine.isConnected]).toEqual([true, true]);
  expect(changes).toEqual(["connected"]);
});

test("G7 a call that waits for a machine's connection fails with it, and nothing was done", async () => {
  const { machine } = await expectMachine();
  const [near, far] = duplexPair();

  machine.connected({ socket: near });
  const listed = machine.host.terminals.list();
  far.destroy();
  near.destroy();

  await expect(listed).rejects.toThrow(AWAY);
  expect(machine.isReachable).toBe(false);
});

test("G7 a call waits for the newest connection of a machine", async () => {
  const { machine, server } = await expectMachine();
  const [[dead], [near, far]] = [duplexPair(), duplexPair()];

  machine.connected({ socket: dead });
  const listed = machine.host.terminals.list();
  machine.connected({ socket: near });
  server.accept({ socket: far, unseal: (json) => ({ json, isLate: false }), onHeard: () => {} });

  expect(await listed).toEqual([]);
  expect(dead.destroyed).toBe(true);
});

test("G7 a machine that is revoked while its connection is set up is cut off", async () => {
  const { machine, changes } = await expectMachine();
  const [near] = duplexPair();

  machine.connected({ socket: near });
  const listed = machine.host.terminals.list();
  machine.giveUp();

  await expect(listed).rejects.toThrow(AWAY);
  expect(near.destroyed).toBe(true);
  expect(changes).toEqual([]);
});

async function expectMachine() {
  const folder = await createHostFolder();
  const host = await folder.openLocal();
  const server = await startHostServer({
    ...{ host, endpoint: null, token: "", hostId: "host-1", program: "test", protocol: PROTOCOL },
    onSurroundings: async () => {},
    onClientsChanged: () => {},
    onClosed: () => {},
  });
  onTestFinished(async () => {
    await server.close();
    await host.close();
    await folder.remove();
  });
  const changes: string[] = [];
  const machine = awaitMachine({
    ...{ name: "build-1", known: null, protocol: PROTOCOL, program: "test", now: () => Date.now() },
    onConnected: () => void changes.push("connected"),
    onDisconnected: () => void changes.push("disconnected"),
    onProblem: () => {},
  });
  onTestFinished(() => machine.host.leave());
  return { machine, server, changes };
}
