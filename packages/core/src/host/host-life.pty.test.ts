import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TerminalId } from "@belay/protocol";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { SpawnRequest } from "../pool/requests.ts";
import type { PoolEvent } from "../pool/terminal-pool.ts";
import { openRecording } from "../recording/reader.ts";
import { findPids } from "../testing/chaos/processes.ts";
import { expectSurvivalRow } from "../testing/survival-page.ts";
import { createHostFolder, type HostFolder } from "../testing/test-host.ts";
import { patiently } from "../testing/test-pool.ts";
import { ConnectionLostError, connectToHost } from "./connect/connection.ts";
import { recordingsDirOf } from "./local-host.ts";
import type { TerminalHost } from "./terminal-host.ts";
import { hostEndpoint } from "./wire/endpoint.ts";
import { encodeMessage } from "./wire/frames.ts";
import { PROTOCOL } from "./wire/messages.ts";

const patience = { timeout: 40_000 };
let folder: HostFolder;
let host: TerminalHost;

beforeEach(async () => {
  folder = await createHostFolder();
  host = await folder.openRemote();
});
afterEach(async () => {
  await host.close();
  await folder.remove();
});

const shellIn = (cwd: string): SpawnRequest => ({
  program: { type: "shell", shell: "bash", login: false },
  owner: "agent",
  visible: false,
  agentId: null,
  name: null,
  cwd,
  env: {},
  cols: 80,
  rows: 24,
  limits: { idleTimeoutMs: null, maxLifetimeMs: null },
  provider: "local",
});
const spawn = (overrides: Partial<SpawnRequest> = {}) =>
  host.terminals.spawn({ ...shellIn(folder.folder), ...overrides });
const hostPid = () => findPids("cmdline", `host-process.ts\0${folder.dataDir}\0`)[0] as number;

describe("G6 the connection to a host:", () => {
  it("G6 only its owner can reach it", async () => {
    const { socket, token, folder: door } = hostEndpoint(folder.dataDir);
    const modes = await Promise.all([door, socket, token].map(async (path) => (await stat(path)).mode & 0o777));

    expect(modes).toEqual([0o700, 0o600, 0o600]);
    await chmod(door, 0o755);
    await expect(folder.openRemote()).rejects.toThrow(`chmod 700 ${door}`);
    await chmod(door, 0o700);
  });

  it("G6 an invalid frame, message or greeting closes only its own connection", async () => {
    const { id } = await spawn();
    const nonsense = {
      "no frame at all": Buffer.from("GET / HTTP/1.1\r\n\r\n"),
      "a frame that is too long": Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 1]),
      "a frame of another version": Buffer.from([0, 0, 0, 4, 9, 1, 0, 0, 0, 0]),
      "a message that is none": encodeMessage("{}", 0),
      "a call before the greeting": encodeMessage('{"type":"call","call":1,"method":"list","args":[]}', 0),
    };

    for (const [what, bytes] of Object.entries(nonsense)) {
      const stranger = connect(hostEndpoint(folder.dataDir).socket);
      const heard: Buffer[] = [];
      stranger.on("data", (chunk) => heard.push(chunk));
      stranger.on("error", () => {}); // it may be reset
      stranger.write(bytes);
      await once(stranger, "close");
      expect(Buffer.concat(heard).toString(), what).toBe("");
    }

    expect(await host.terminals.get(id)).toMatchObject({ id });
  });

  it("G6 a client with a wrong token gets nothing", async () => {
    await spawn();
    const stranger = connect(hostEndpoint(folder.dataDir).socket);
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
    const { id } = await spawn();
    const line = "ls /proc/self/fd | wc -l; ls -l /proc/self/fd | grep -c socket; env | grep -c -e host.sock -e /host/";
    const report = await host.terminals.run(id, { commandId: "cmd-1", line, wait: patiently });
    const { bytes } = await host.terminals.read(id, { fromPosition: report.startPosition, maxBytes: 100 });

    // 0, 1, 2, and the folder that ls itself reads.
    expect(Buffer.from(bytes).toString().split("\r\n").slice(0, 3)).toEqual(["4", "0", "0"]);
  });

  it("G6 an incompatible version is reported with what to do, and ends nothing", async () => {
    const { id } = await spawn();

    const newer = folder.openRemote({ protocol: { min: PROTOCOL.max + 1, max: PROTOCOL.max + 2 } });

    await expect(newer).rejects.toMatchObject({ code: "host-incompatible" });
    await expect(newer).rejects.toThrow(/1 terminal is held by another version .* protocol 2 to \d+/);
    await expect(newer).rejects.toThrow(
      `To end them and go on with this one: kill ${hostPid()}, and start Belay again.`,
    );
    expect(await host.terminals.get(id)).toMatchObject({ state: { status: "running" } });
    const both = await folder.openRemote({ protocol: { min: 3, max: 5 } });
    expect(await both.terminals.list()).toHaveLength(1);
    await both.leave();
  });
});

it("G6 a host that dies during the connect counts as absent, without a wait", async () => {
  const path = join(folder.folder, "dying.sock");
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
    endpoint: { ...hostEndpoint(folder.dataDir), socket: path },
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
    const proxy = await startProxy(hostEndpoint(folder.dataDir).socket);
    const through = await folder.openRemote({ socket: proxy.path });
    const events: PoolEvent[] = [];
    through.terminals.subscribe((event) => events.push(event));
    const { id } = await spawn();
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
    await vi.waitFor(async () => expect((await host.unfinished()).running).toHaveLength(1), patience);

    proxy.cut();
    await writeFile(join(folder.folder, "go"), "");

    expect(await answer).toMatchObject({ state: "completed", exitCode: 9 });
    await vi.waitFor(() => expect(text).toContain("\n1999\r\n2000\r\n"), patience);
    expect(events.filter(({ type }) => type === "hostLost")).toEqual([]);
    following.stop();
    await through.leave();
  });
});

describe("G6 a host that is killed", () => {
  it("G6 C10 reports how each terminal ended, leaves no process, and is replaced", async () => {
    const { id, agentId } = await spawn({ agentId: "agt-1", name: "work" });
    const mark = `MARK=${id}`;
    const line = "nohup sleep 9999 & setsid sleep 9999 & (setsid sh -c 'sleep 9999 & wait' &) ; sleep 9999";
    const wait = { type: "background", collectMs: 500 } as const;
    await host.terminals.run(id, { commandId: "cmd-1", line, wait, env: { MARK: id } });
    const events: PoolEvent[] = [];
    host.terminals.subscribe((event) => events.push(event));
    const waiting = host.terminals.waitFor(id, "cmd-1", patiently);
    const ended = endOf(id);
    expect(findPids("environ", mark).length).toBeGreaterThan(3);

    process.kill(hostPid(), "SIGKILL");

    expect(await waiting).toMatchObject({ commandId: "cmd-1", state: "exited", exitCode: null });
    expect(await ended).toBeNull();
    await vi.waitFor(() => expect(findPids("environ", mark)).toEqual([]), patience);
    expect(await host.terminals.list()).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(["commandFinished", "closed", "changed", "hostLost"]);
    const closed = { id, agentId, name: "work", state: { status: "closed", reason: "host-lost", exitCode: null } };
    expect(events[1]).toMatchObject({ terminal: closed });
    expect(await host.terminals.get((await spawn()).id)).toMatchObject({ state: { status: "running" } });
  });

  it("G6 C10 leaves no process even if its reaper was killed before", async () => {
    const { id } = await spawn();
    const mark = `MARK=${id}`;
    const wait = { type: "background", collectMs: 300 } as const;
    await host.terminals.run(id, {
      commandId: "cmd-1",
      line: "setsid sleep 9999 & sleep 9999",
      wait,
      env: { MARK: id },
    });
    const [reaper] = reapersOf(hostPid());
    process.kill(reaper as number, "SIGKILL");
    await vi.waitFor(() => expect(reapersOf(hostPid()).filter((pid) => pid !== reaper)).toHaveLength(1), patience);

    process.kill(hostPid(), "SIGKILL");

    await vi.waitFor(() => expect(findPids("environ", mark)).toEqual([]), patience);
  });

  it("G6 C10 leaves no process for long even if it is killed together with its reaper", async () => {
    const { id } = await spawn();
    const mark = `MARK=${id}`;
    const wait = { type: "background", collectMs: 300 } as const;
    const line = "setsid sleep 9999 & env -i sleep 9999 & sleep 9999";
    await host.terminals.run(id, { commandId: "cmd-1", line, wait, env: { MARK: id } });
    const left = descendantsOf(hostPid());
    const pids = [...reapersOf(hostPid()), hostPid()];

    for (const pid of pids) process.kill(pid, "SIGSTOP");
    for (const pid of pids) process.kill(pid, "SIGKILL");
    // The next host is started when terminals are needed.
    await vi.waitFor(async () => expect(await host.terminals.list()).toEqual([]), patience);

    expect(left.length).toBeGreaterThan(2);
    await vi.waitFor(() => expect(findPids("environ", mark)).toEqual([]), patience);
    expectSurvivalRow("the host and its reaper are killed together", {
      belay: "ends the programs of the terminals when the next host starts",
      says: "as when the host is killed",
    });
    await vi.waitFor(
      () => expect(left.filter((pid) => findPids("stat", `${pid} (`).includes(pid))).toEqual([]),
      patience,
    );
  });
});

it("G4 a recording that cannot be started is reported until it can, and then says what is missing", async () => {
  const blocked = await createHostFolder();
  onTestFinished(() => blocked.remove());
  const local = await blocked.openLocal();
  const recordings = recordingsDirOf(blocked.dataDir);
  await mkdir(blocked.dataDir, { recursive: true });
  await writeFile(recordings, "no folder");

  const { id } = await local.terminals.spawn(shellIn(blocked.folder));
  await local.terminals.run(id, { commandId: "cmd-1", line: "echo lost", wait: patiently });
  await vi.waitFor(
    async () => expect(await local.problems()).toEqual([expect.stringMatching(/^1 terminal is not being recorded/)]),
    patience,
  );
  await rm(recordings);
  await vi.waitFor(async () => expect(await local.problems()).toEqual([]), patience);
  await local.terminals.run(id, { commandId: "cmd-2", line: "echo kept", wait: patiently });
  await local.close();

  const recording = await openRecording(recordings, id);
  const seen: string[] = [];
  for await (const event of recording?.events() ?? []) {
    seen.push(event.type === "output" ? Buffer.from(event.bytes).toString() : event.type);
  }
  expect(seen[0]).toBe("gap");
  expect(seen.join("")).toContain("kept\r\n");
  expect(seen.join("")).not.toContain("lost\r\n");
  await recording?.close();
});

describe("G6 a host that hangs", () => {
  const heartbeat = { everyMs: 200, hungAfterMs: 2_000 };

  it("G6 is reported with its pid, blocks no call, and never executes abandoned calls", async () => {
    const second = await folder.openRemote({ heartbeat });
    const { id } = await spawn();
    await second.terminals.run(id, { commandId: "cmd-1", line: "true", wait: patiently });
    const pid = hostPid();
    const problem = {
      code: "host-hung",
      message: expect.stringMatching(new RegExp(`^The process ${pid}, .*kill -9 ${pid}$`)),
    };
    const late = join(folder.folder, "late");

    process.kill(pid, "SIGSTOP");
    onTestFinished(() => {
      if (findPids("stat", `${pid} (`).includes(pid)) process.kill(pid, "SIGCONT");
    });
    const calls = [
      second.terminals.list(),
      second.unfinished(),
      second.terminals.run(id, { commandId: "cmd-2", line: `touch ${late}`, wait: patiently }),
    ];
    for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: problem });
    // It is known to hang by now, so calls do not wait again.
    await expect(second.terminals.list()).rejects.toMatchObject(problem);
    await expect(folder.openRemote({ heartbeat })).rejects.toMatchObject(problem);

    process.kill(pid, "SIGCONT");
    await vi.waitFor(async () => expect(await second.terminals.list()).toMatchObject([{ id }]), patience);
    const report = await second.terminals.run(id, { commandId: "cmd-3", line: `test -e ${late}`, wait: patiently });
    expect(report).toMatchObject({ state: "completed", exitCode: 1 });
    await second.leave();
    expectSurvivalRow("the host hangs", {
      belay:
        "fails calls within seconds, never runs them later, and continues with the same terminals once the host does",
      says: "to the agent and in `/readyz`, with the process id and how to end it",
    });
  });
});

describe("G6 a host whose socket was removed", () => {
  it("G6 creates it again, and its terminals are found", async () => {
    const { id } = await spawn();
    const { socket, token } = hostEndpoint(folder.dataDir);
    const pid = hostPid();

    await Promise.all([rm(socket), rm(token)]);
    await vi.waitFor(() => stat(socket), patience);
    const second = await folder.openRemote();

    expect(await second.terminals.list()).toMatchObject([{ id, state: { status: "running" } }]);
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    expect(hostPid()).toBe(pid);
    expect(await host.terminals.get(id)).toMatchObject({ id });
    await second.leave();
    expectSurvivalRow("`host.sock` is removed while it runs", {
      belay: "creates it again within a second or so, and finds its terminals",
      says: "in `host.log`",
    });
  });
});

describe("G6 a host without a gateway", () => {
  it("G6 exits by itself when it has no terminals, and stays until the last one is closed", async () => {
    const lonely = await createHostFolder();
    onTestFinished(() => lonely.remove());
    const pids = () => findPids("cmdline", `host-process.ts\0${lonely.dataDir}\0`);
    const first = await lonely.openRemote({ unusedMs: 1000 });
    const id = "pty-1";
    await first.terminals.spawn({ ...shellIn(lonely.folder), id, program: { type: "argv", argv: ["cat"] } });
    const [pid] = pids();
    await first.leave();

    const second = await lonely.openRemote({ unusedMs: 1000 });
    expect(await second.terminals.list()).toMatchObject([{ id, command: ["cat"] }]);
    await second.terminals.kill(id, { reason: "killed" });
    await second.leave();

    expect(pid).toBeDefined();
    await vi.waitFor(() => expect(pids()).toEqual([]), patience);
  });

  it("G6 C10 ends with its terminals when its data folder was removed, since it can no longer be reached", async () => {
    const lost = await createHostFolder();
    const first = await lost.openRemote({ unusedMs: 1000 });
    const { state } = await first.terminals.spawn(shellIn(lost.folder));
    const pid = state.status === "running" ? state.pid : 0;

    await lost.remove();
    await first.leave();

    await vi.waitFor(() => expect(findPids("stat", `${pid} (bash)`)).toEqual([]), patience);
    await vi.waitFor(() => expect(findPids("cmdline", `\0${lost.dataDir}\0`)).toEqual([]), patience);
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

it("G6 a flooding terminal does not block another one", async () => {
  const flood = await spawn({ program: { type: "argv", argv: ["yes", "a line that is printed again and again"] } });
  let flooded = 0;
  const following = host.terminals.follow(flood.id, 0, {
    onOutput: ({ bytes }) => {
      flooded += bytes.byteLength;
    },
    onGap: () => {},
    onEnd: () => {},
  });
  const { id } = await spawn();

  for (let command = 1; command <= 20; command++) {
    const report = await host.terminals.run(id, { commandId: `cmd-${command}`, line: "echo here", wait: patiently });
    expect(report).toMatchObject({ state: "completed", exitCode: 0 });
  }

  expect(flooded).toBeGreaterThan(0);
  following.stop();
});

/** The exit code of a terminal, as a follower sees it. */
function endOf(id: TerminalId): Promise<number | null> {
  return new Promise((resolve) => {
    host.terminals.follow(id, 0, { onOutput: () => {}, onGap: () => {}, onEnd: ({ exitCode }) => resolve(exitCode) });
  });
}

/** Every descendant of this process, except the reaper. */
function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  const reapers = reapersOf(pid);
  return children.filter((child) => !reapers.includes(child)).flatMap((child) => [child, ...descendantsOf(child)]);
}

function reapersOf(pid: number): number[] {
  return findPids("cmdline", "belay-reaper").filter((reaper) => findPids("stat", ` ${pid} `).includes(reaper));
}

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
