import { once } from "node:events";
import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { PoolEvent } from "../pool/terminal-pool.ts";
import { createHostFolder } from "../testing/test-host.ts";
import { patiently } from "../testing/test-pool.ts";
import { useRemoteHost } from "../testing/use-remote-host.ts";
import { ConnectionLostError, connectToHost } from "./connect/connection.ts";
import { hostEndpoint } from "./wire/endpoint.ts";
import { encodeMessage } from "./wire/frames.ts";
import { PROTOCOL } from "./wire/messages.ts";

const patience = { timeout: 40_000 };
const test = useRemoteHost();

describe("G6 the connection to a host:", () => {
  it("G6 only its owner can reach it", async () => {
    const { socket, token, folder: door } = hostEndpoint(test.folder.dataDir);
    const modes = await Promise.all([door, socket, token].map(async (path) => (await stat(path)).mode & 0o777));

    expect(modes).toEqual([0o700, 0o600, 0o600]);
    await chmod(door, 0o755);
    await expect(test.folder.openRemote()).rejects.toThrow(`chmod 700 ${door}`);
    await chmod(door, 0o700);
  });

  it("G6 an invalid frame, message or greeting closes only its own connection", async () => {
    const { id } = await test.spawn();
    const nonsense = {
      "no frame at all": Buffer.from("GET / HTTP/1.1\r\n\r\n"),
      "a frame that is too long": Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 1]),
      "a frame of another version": Buffer.from([0, 0, 0, 4, 9, 1, 0, 0, 0, 0]),
      "a message that is none": encodeMessage("{}", 0),
      "a call before the greeting": encodeMessage('{"type":"call","call":1,"method":"list","args":[]}', 0),
    };

    for (const [what, bytes] of Object.entries(nonsense)) {
      const stranger = connect(hostEndpoint(test.folder.dataDir).socket);
      const heard: Buffer[] = [];
      stranger.on("data", (chunk) => heard.push(chunk));
      stranger.on("error", () => {}); // it may be reset
      stranger.write(bytes);
      await once(stranger, "close");
      expect(Buffer.concat(heard).toString(), what).toBe("");
    }

    expect(await test.host.terminals.get(id)).toMatchObject({ id });
  });

  it("G6 a client with a wrong token gets nothing", async () => {
    await test.spawn();
    const stranger = connect(hostEndpoint(test.folder.dataDir).socket);
    const surroundings = { baseEnv: {}, trashDir: null, home: "/" };
    const hello = { type: "hello", protocol: { min: 1, max: 1 }, token: "0".repeat(64), program: "x", surroundings };
    const heard: Buffer[] = [];
    stranger.on("data", (chunk) => heard.push(chunk));

    stranger.write(encodeMessage(JSON.stringify(hello), 0));
    await once(stranger, "close");

    expect(Buffer.concat(heard).toString()).toContain('"refused","reason":"token"');
    expect(Buffer.concat(heard).toString()).toContain('"openTerminals":0');
  });

  it("G6 programs in a terminal inherit no descriptor or variable of the host", async () => {
    const { id } = await test.spawn();
    const line = "ls /proc/self/fd | wc -l; ls -l /proc/self/fd | grep -c socket; env | grep -c -e host.sock -e /host/";
    const report = await test.host.terminals.run(id, { commandId: "cmd-1", line, wait: patiently });
    const { bytes } = await test.host.terminals.read(id, { fromPosition: report.startPosition, maxBytes: 100 });

    // 0, 1, 2, and the folder that ls itself reads.
    expect(Buffer.from(bytes).toString().split("\r\n").slice(0, 3)).toEqual(["4", "0", "0"]);
  });

  it("G6 an incompatible version is reported with what to do, and ends nothing", async () => {
    const { id } = await test.spawn();

    const newer = test.folder.openRemote({ protocol: { min: PROTOCOL.max + 1, max: PROTOCOL.max + 2 } });

    await expect(newer).rejects.toMatchObject({ code: "host-incompatible" });
    await expect(newer).rejects.toThrow(/1 terminal is held by another version .* protocol 2 to \d+/);
    await expect(newer).rejects.toThrow(
      `To end them and go on with this one: kill ${test.hostPid()}, and start Belay again.`,
    );
    expect(await test.host.terminals.get(id)).toMatchObject({ state: { status: "running" } });
    const both = await test.folder.openRemote({ protocol: { min: 3, max: 5 } });
    expect(await both.terminals.list()).toHaveLength(1);
    await both.leave();
  });
});

it("G6 a host that dies during the connect counts as absent, without a wait", async () => {
  const path = join(test.folder.folder, "dying.sock");
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  const nothing = () => {};
  const events = {
    onEvent: nothing,
    onOutput: nothing,
    onGap: nothing,
    onEnded: nothing,
    onHung: nothing,
    onClose: nothing,
  };
  const options = {
    endpoint: { ...hostEndpoint(test.folder.dataDir), socket: path },
    protocol: PROTOCOL,
    program: "test",
    surroundings: { baseEnv: {}, trashDir: null, home: "/" },
  };

  for (let attempt = 0; attempt < 200; attempt++) {
    await expect(connectToHost(options, events)).rejects.toBeInstanceOf(ConnectionLostError);
  }
});

describe("G6 a connection that breaks while the host is alive", () => {
  it("G6 is restored: streams resume at the same byte, and a command's result still comes", async () => {
    const proxy = await startProxy(hostEndpoint(test.folder.dataDir).socket);
    const through = await test.folder.openRemote({ socket: proxy.path });
    const events: PoolEvent[] = [];
    through.terminals.subscribe((event) => events.push(event));
    const { id } = await test.spawn();
    let text = "";
    const following = through.terminals.follow(id, 0, {
      onOutput: ({ position, bytes }) => {
        expect(position).toBe(text.length);
        text += Buffer.from(bytes).toString("latin1");
      },
      onGap: () => expect.unreachable("nothing is missed"),
      onEnd: () => expect.unreachable("it goes on"),
    });
    const line = `until [ -e go ]; do sleep 0.01; done; seq 1 2000; (exit 9)`;
    const answer = through.terminals.run(id, { commandId: "cmd-1", line, wait: patiently });
    await vi.waitFor(async () => expect((await test.host.unfinished()).running).toHaveLength(1), patience);

    proxy.cut();
    await writeFile(join(test.folder.folder, "go"), "");

    expect(await answer).toMatchObject({ state: "completed", exitCode: 9 });
    await vi.waitFor(() => expect(text).toContain("\n1999\r\n2000\r\n"), patience);
    expect(events.filter(({ type }) => type === "hostLost")).toEqual([]);
    following.stop();
    await through.leave();
  });
});

it("G6 a data folder whose path is too long for a socket works like any other", async () => {
  const deep = await createHostFolder({ dataDirName: "d".repeat(60).concat("/", "e".repeat(60)) });
  onTestFinished(() => deep.remove());
  await mkdir(deep.dataDir, { recursive: true, mode: 0o700 });
  const deepHost = await deep.openRemote();

  expect(await deepHost.terminals.list()).toEqual([]);
  await deepHost.close();
});

/** A proxy between a client and the host whose connections can be cut. */
async function startProxy(target: string): Promise<{ path: string; cut(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    near.pipe(far);
    far.pipe(near);
  });
  const path = join(tmpdir(), `belay-proxy-${process.pid}.sock`);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return {
    path,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
