import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openRecording } from "../recording/reader.ts";
import { findPids } from "../testing/chaos/processes.ts";
import { expectSurvivalRow } from "../testing/survival-page.ts";
import { createHostFolder } from "../testing/test-host.ts";
import { patiently } from "../testing/test-pool.ts";
import { bashIn, useRemoteHost } from "../testing/use-remote-host.ts";
import { recordingsDirOf } from "./local-host.ts";
import { hostEndpoint } from "./wire/endpoint.ts";

const patience = { timeout: 40_000 };
const test = useRemoteHost();

it("G4 a recording that cannot be started is reported until it can, and then says what is missing", async () => {
  const blocked = await createHostFolder();
  onTestFinished(() => blocked.remove());
  const local = await blocked.openLocal();
  const recordings = recordingsDirOf(blocked.dataDir);
  await mkdir(blocked.dataDir, { recursive: true });
  await writeFile(recordings, "no folder");

  const { id } = await local.terminals.spawn(bashIn(blocked.folder));
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

describe("G6 a host whose socket was removed", () => {
  it("G6 creates it again, and its terminals are found", async () => {
    const { id } = await test.spawn();
    const { socket, token } = hostEndpoint(test.folder.dataDir);
    const pid = test.hostPid();

    await Promise.all([rm(socket), rm(token)]);
    await vi.waitFor(() => stat(socket), patience);
    const second = await test.folder.openRemote();

    expect(await second.terminals.list()).toMatchObject([{ id, state: { status: "running" } }]);
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    expect(test.hostPid()).toBe(pid);
    expect(await test.host.terminals.get(id)).toMatchObject({ id });
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
    const pids = () => findPids("cmdline", `\0${lonely.dataDir}\0`);
    const first = await lonely.openRemote({ unusedMs: 1000 });
    const id = "pty-1";
    await first.terminals.spawn({ ...bashIn(lonely.folder), id, program: { type: "argv", argv: ["cat"] } });
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
    const { state } = await first.terminals.spawn(bashIn(lost.folder));
    const pid = state.status === "running" ? state.pid : 0;

    await lost.remove();
    await first.leave();

    await vi.waitFor(() => expect(findPids("stat", `${pid} (bash)`)).toEqual([]), patience);
    await vi.waitFor(() => expect(findPids("cmdline", `\0${lost.dataDir}\0`)).toEqual([]), patience);
  });
});

it("G6 a flooding terminal does not block another one", async () => {
  const flood = await test.spawn({
    program: { type: "argv", argv: ["yes", "a line that is printed again and again"] },
  });
  let flooded = 0;
  const following = test.host.terminals.follow(flood.id, 0, {
    onOutput: ({ bytes }) => {
      flooded += bytes.byteLength;
    },
    onGap: () => {},
    onEnd: () => {},
  });
  const { id } = await test.spawn();

  for (let command = 1; command <= 20; command++) {
    const report = await test.host.terminals.run(id, {
      commandId: `cmd-${command}`,
      line: "echo here",
      wait: patiently,
    });
    expect(report).toMatchObject({ state: "completed", exitCode: 0 });
  }

  expect(flooded).toBeGreaterThan(0);
  following.stop();
});
