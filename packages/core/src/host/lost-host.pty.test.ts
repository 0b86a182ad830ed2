import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TerminalId } from "@belay/protocol";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { PoolEvent } from "../pool/terminal-pool.ts";
import { findPids } from "../testing/chaos/processes.ts";
import { expectSurvivalRow } from "../testing/survival-page.ts";
import { patiently } from "../testing/test-pool.ts";
import { useRemoteHost } from "../testing/use-remote-host.ts";

const patience = { timeout: 40_000 };
const test = useRemoteHost();

describe("G6 a host that is killed", () => {
  it("G6 C10 reports how each terminal ended, leaves no process, and is replaced", async () => {
    const { id, agentId } = await test.spawn({ agentId: "agt-1", name: "work" });
    const mark = `MARK=${id}`;
    const line = "nohup sleep 9999 & setsid sleep 9999 & (setsid sh -c 'sleep 9999 & wait' &) ; sleep 9999";
    const wait = { type: "background", collectMs: 500 } as const;
    await test.host.terminals.run(id, { commandId: "cmd-1", line, wait, env: { MARK: id } });
    const events: PoolEvent[] = [];
    test.host.terminals.subscribe((event) => events.push(event));
    const waiting = test.host.terminals.waitFor(id, "cmd-1", patiently);
    const ended = endOf(id);
    expect(findPids("environ", mark).length).toBeGreaterThan(3);

    process.kill(test.hostPid(), "SIGKILL");

    expect(await waiting).toMatchObject({ commandId: "cmd-1", state: "exited", exitCode: null });
    expect(await ended).toBeNull();
    await vi.waitFor(() => expect(findPids("environ", mark)).toEqual([]), patience);
    expect(await test.host.terminals.list()).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(["commandFinished", "closed", "changed", "hostLost"]);
    const closed = { id, agentId, name: "work", state: { status: "closed", reason: "host-lost", exitCode: null } };
    expect(events[1]).toMatchObject({ terminal: closed });
    expect(await test.host.terminals.get((await test.spawn()).id)).toMatchObject({ state: { status: "running" } });
  });

  it("G6 C10 leaves no process even if its reaper was killed before", async () => {
    const { id } = await test.spawn();
    const mark = `MARK=${id}`;
    const wait = { type: "background", collectMs: 300 } as const;
    await test.host.terminals.run(id, {
      commandId: "cmd-1",
      line: "setsid sleep 9999 & sleep 9999",
      wait,
      env: { MARK: id },
    });
    const [reaper] = reapersOf(test.hostPid());
    process.kill(reaper as number, "SIGKILL");
    await vi.waitFor(() => expect(reapersOf(test.hostPid()).filter((pid) => pid !== reaper)).toHaveLength(1), patience);

    process.kill(test.hostPid(), "SIGKILL");

    await vi.waitFor(() => expect(findPids("environ", mark)).toEqual([]), patience);
  });

  it("G6 C10 leaves no process for long even if it is killed together with its reaper", async () => {
    const { id } = await test.spawn();
    const mark = `MARK=${id}`;
    const wait = { type: "background", collectMs: 300 } as const;
    const line = "setsid sleep 9999 & env -i sleep 9999 & sleep 9999";
    await test.host.terminals.run(id, { commandId: "cmd-1", line, wait, env: { MARK: id } });
    const left = descendantsOf(test.hostPid());
    const pids = [...reapersOf(test.hostPid()), test.hostPid()];

    for (const pid of pids) process.kill(pid, "SIGSTOP");
    for (const pid of pids) process.kill(pid, "SIGKILL");
    // The next host is started when terminals are needed.
    await vi.waitFor(async () => expect(await test.host.terminals.list()).toEqual([]), patience);

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

describe("G6 a host that hangs", () => {
  const heartbeat = { everyMs: 200, hungAfterMs: 2_000 };

  it("G6 is reported with its pid, blocks no call, and never executes abandoned calls", async () => {
    const second = await test.folder.openRemote({ heartbeat });
    const { id } = await test.spawn();
    await second.terminals.run(id, { commandId: "cmd-1", line: "true", wait: patiently });
    const pid = test.hostPid();
    const problem = {
      code: "host-hung",
      message: expect.stringMatching(new RegExp(`^The process ${pid}, .*kill -9 ${pid}$`)),
    };
    const late = join(test.folder.folder, "late");

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
    await expect(test.folder.openRemote({ heartbeat })).rejects.toMatchObject(problem);

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

/** The exit code of a terminal, as a follower sees it. */
function endOf(id: TerminalId): Promise<number | null> {
  return new Promise((resolve) => {
    test.host.terminals.follow(id, 0, {
      onOutput: () => {},
      onGap: () => {},
      onEnd: ({ exitCode }) => resolve(exitCode),
    });
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
