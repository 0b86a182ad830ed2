import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommandId, TerminalId } from "@belay/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TerminalHost } from "../../host/terminal-host.ts";
import type { SpawnRequest } from "../../pool/requests.ts";
import { shellRequest } from "../../pool/shell-request.ts";
import type { PoolEvent } from "../../pool/terminal-pool.ts";
import type { WallPlan } from "../../walls/wall-plan.ts";
import { createHostFolder, type HostFolder } from "../test-host.ts";
import { patiently } from "../test-pool.ts";
import { consumer, type Drained, digest, drainOf, lines, textOf, untilActivity, untilReached } from "./follow-host.ts";

const UNKNOWN = "pty-0nosuchterminal";

/** What every host does, in this process or in a separate one, so that callers need not know which one they use. */
export function describeHost(name: string, open: (folder: HostFolder) => Promise<TerminalHost>): void {
  describe(`G6 ${name} fulfils the host contract:`, () => {
    let folder: HostFolder;
    let host: TerminalHost;
    let commands = 0;
    beforeAll(async () => {
      folder = await createHostFolder();
      host = await open(folder);
    });
    afterAll(async () => {
      await host.close();
      await folder.remove();
    });

    const nextCommand = (): CommandId => `cmd-${++commands}`;
    const spawn = (overrides: Partial<SpawnRequest> = {}) =>
      host.terminals.spawn(shellRequest(folder.folder, overrides));
    const program = (...argv: string[]) => spawn({ program: { type: "argv", argv } });
    const run = (id: TerminalId, line: string) =>
      host.terminals.run(id, { commandId: nextCommand(), line, wait: patiently });
    const drain = (id: TerminalId, from: number, take?: () => void | Promise<void>) => drainOf(host, id, from, take);

    it("a command's output and exit code", async () => {
      const { id } = await spawn();

      const report = await run(id, "echo out; (exit 3)");
      const slice = await host.terminals.read(id, { fromPosition: report.startPosition, maxBytes: 5 });

      expect(report).toMatchObject({ state: "completed", evidence: "marker", exitCode: 3, terminalId: id });
      expect(Buffer.from(slice.bytes).toString()).toBe("out\r\n");
      expect(slice).toMatchObject({ missedBytes: 0, toPosition: report.startPosition + 5 });
      expect((await host.terminals.history(id, 65_536)).text).toContain("out\r\n");
    });

    it("stores the attributes of a terminal", async () => {
      const made = await spawn({ agentId: "agt-1", name: "build", env: { WORD: "kept" }, cols: 100, rows: 30 });

      await host.terminals.resize(made.id, { cols: 90, rows: 20 });
      const seen = await host.terminals.get(made.id);
      const report = await run(made.id, "printenv WORD; stty size");

      expect(seen).toMatchObject({ agentId: "agt-1", name: "build", owner: "agent", cols: 90, rows: 20 });
      expect(await textOf(host, made.id, report)).toBe("kept\r\n20 90\r\n");
      expect((await host.terminals.list()).map(({ id }) => id)).toContain(made.id);
    });

    it("bytes that are not text are unchanged", async () => {
      const { id } = await program("sh", "-c", "stty raw; printf '\\000\\377\\200\\n'");

      const { text, exitCode } = await drain(id, 0);

      expect({ text, exitCode }).toEqual({ text: "\x00\xff\x80\n", exitCode: 0 });
    });

    it("a reader gets every byte in order, then the end with the exit code", async () => {
      const { id } = await program("sh", "-c", "read go; seq 1 60000; exit 5");
      const whole = drain(id, 0);

      await host.terminals.write(id, "\r");
      const { text, exitCode, missed, isInOrder, end } = await whole;

      expect({ exitCode, missed, isInOrder, end }).toEqual({
        exitCode: 5,
        missed: 0,
        isInOrder: true,
        end: text.length,
      });
      expect(digest(text)).toBe(digest(`\r\n${lines(60_000)}`));
    });

    it("many readers of one terminal get the same bytes, from any position", async () => {
      const { id } = await program("sh", "-c", "echo first; read go; seq 1 20000");
      await untilReached(host, id, 7);
      const all = [drain(id, 0), drain(id, 0), drain(id, 7), drain(id, 3), drain(id, 1_000_000)];

      await host.terminals.write(id, "\r");
      const texts = (await Promise.all(all)).map(({ text }) => digest(text));

      const whole = `first\r\n\r\n${lines(20_000)}`;
      expect(texts).toEqual([0, 0, 7, 3, 7].map((from) => digest(whole.slice(from))));
    });

    it("a reader is not called before it can be stopped, nor again before it is done", async () => {
      const { id } = await program("sh", "-c", "seq 1 30000");
      let isInside = false;
      let overlaps = 0;
      let hasReturned = false;
      const { isInOrder } = await new Promise<Drained>((resolve, reject) => {
        const whole = drain(id, 0, async () => {
          if (isInside || !hasReturned) overlaps++;
          isInside = true;
          await new Promise((resume) => setImmediate(resume));
          isInside = false;
        });
        hasReturned = true;
        whole.then(resolve, reject);
      });

      expect({ overlaps, isInOrder }).toEqual({ overlaps: 0, isInOrder: true });
    });

    it("a reader slower than the ring buffer is told what it missed", async () => {
      const { id } = await program("sh", "-c", "read go; seq 1 700000; echo done");
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let isFirst = true;
      const slow = drain(id, 0, () => {
        const wait = isFirst ? held : undefined;
        isFirst = false;
        return wait;
      });
      const quick = drain(id, 0);

      await host.terminals.write(id, "\r");
      const { end } = await quick;
      release();
      const late = await slow;

      expect(late).toMatchObject({ isInOrder: true, end });
      expect(late.missed).toBeGreaterThan(1_000_000);
      expect(late.missed + late.text.length).toBe(end);
      expect(late.text.endsWith("done\r\n")).toBe(true);
    });

    it("a reader that throws, and one that stopped, are not called again", async () => {
      const { id } = await program("sh", "-c", "read a; echo one; read b; echo two");
      const heard: string[] = [];
      const failing = consumer((text) => {
        heard.push(text);
        return Promise.reject(new Error("enough"));
      });
      const stopped = consumer((text) => void heard.push(text));
      host.terminals.follow(id, 0, failing);
      host.terminals.follow(id, 0, stopped).stop();
      const whole = drain(id, 0);

      await host.terminals.write(id, "\r\r");
      await whole;

      expect(heard).toHaveLength(1);
    });

    it("a terminal that does not exist is an error, except for kill", async () => {
      const missing = expect.objectContaining({ code: "terminal-not-found" });

      await expect(host.terminals.get(UNKNOWN)).rejects.toEqual(missing);
      await expect(run(UNKNOWN, "true")).rejects.toEqual(missing);
      await expect(host.terminals.write(UNKNOWN, "x")).rejects.toEqual(missing);
      await expect(host.terminals.read(UNKNOWN, { fromPosition: 0, maxBytes: 1 })).rejects.toEqual(missing);
      expect(await host.terminals.kill(UNKNOWN, { reason: "killed" })).toEqual({ existed: false, survivors: [] });
      expect(await drain(UNKNOWN, 12)).toMatchObject({ end: 12, exitCode: null, text: "" });
      expect(await host.snapshot(UNKNOWN, { scrollbackLines: 0 })).toBeNull();
    });

    it("a failed start says why", async () => {
      const named = await spawn({ agentId: "agt-2", name: "only" });

      await expect(spawn({ cwd: "/no/such/folder" })).rejects.toMatchObject({ code: "cwd-not-found" });
      await expect(program("no-such-program")).rejects.toMatchObject({ code: "spawn-failed" });
      await expect(spawn({ agentId: "agt-2", name: "only" })).rejects.toMatchObject({ code: "name-taken" });
      await expect(spawn({ id: named.id })).rejects.toMatchObject({ code: "name-taken" });
      await expect(spawn({ provider: "none" })).rejects.toThrow('No provider "none".');
    });

    it("one command at a time, and an aborted wait leaves it running", async () => {
      const { id } = await spawn();
      const commandId = nextCommand();
      const giveUp = new AbortController();
      const line = "until [ -e go ]; do sleep 0.01; done; (exit 4)";
      const waiting = host.terminals.run(id, { commandId, line, wait: patiently }, giveUp.signal);
      await untilActivity(host, id, commandId);

      await expect(run(id, "true")).rejects.toMatchObject({ code: "terminal-busy" });
      giveUp.abort();
      await expect(waiting).rejects.toThrow(giveUp.signal.reason);
      await writeFile(join(folder.folder, "go"), "");
      const finished = await host.terminals.waitFor(id, commandId, patiently);

      expect(finished).toMatchObject({ state: "completed", exitCode: 4 });
      const late = host.terminals.run(id, { commandId: "cmd-0late", line: "true", wait: patiently }, giveUp.signal);
      await expect(late).rejects.toThrow(giveUp.signal.reason);
      await expect(host.terminals.waitFor(id, "cmd-0late", patiently)).rejects.toMatchObject({
        code: "command-not-found",
      });
      await expect(host.terminals.waitFor(id, "cmd-0never", patiently)).rejects.toMatchObject({
        code: "command-not-found",
      });
    });

    it("sends the events of a terminal in order", async () => {
      const events: PoolEvent[] = [];
      const stop = host.terminals.subscribe((event) => events.push(event));
      const { id } = await spawn();
      const report = await run(id, "true");

      await host.terminals.promote(id);
      await host.terminals.kill(id, { reason: "killed" });
      stop();

      const told = events.filter((event) => "terminal" in event && event.terminal.id === id).map(({ type }) => type);
      expect(told[0]).toBe("created");
      expect(told.filter((type) => type !== "changed")).toEqual(["created", "promoted", "closed"]);
      expect(events.at(-1)).toMatchObject({ type: "changed", terminal: { id, state: { status: "closed" } } });
      expect(events).toContainEqual({ type: "commandFinished", report });
      await expect(host.terminals.promote(id)).rejects.toMatchObject({ code: "not-agent-owned" });
      await expect(host.terminals.write(id, "x")).rejects.toMatchObject({ code: "terminal-closed" });
    });

    it("W13 hands a terminal to a person and back, and clears the line they left", async () => {
      const { id } = await spawn();
      await run(id, "true");

      const borrowed = await host.terminals.borrow(id);
      await expect(host.terminals.borrow(id)).rejects.toMatchObject({ code: "not-agent-owned" });
      await host.terminals.write(id, "sleep 1000\n");
      await expect.poll(async () => (await host.terminals.get(id)).activity.kind).toBe("busy");
      await expect(host.terminals.handBack(id)).rejects.toMatchObject({ code: "terminal-busy" });
      await host.terminals.write(id, "\x03");
      await expect.poll(async () => (await host.terminals.get(id)).activity.kind).toBe("idle");
      await host.terminals.write(id, "touch left-over;");
      const returned = await host.terminals.handBack(id);
      const report = await run(id, "test ! -e left-over");

      expect(borrowed).toMatchObject({ owner: "user", isBorrowed: true, visible: true });
      expect(returned).toMatchObject({ owner: "agent", visible: false });
      expect(returned).not.toHaveProperty("isBorrowed");
      expect(report).toMatchObject({ state: "completed", exitCode: 0 });
      await expect(host.terminals.handBack(id)).rejects.toMatchObject({ code: "not-borrowed" });
      await host.terminals.borrow(id);
      expect(await host.terminals.promote(id)).not.toHaveProperty("isBorrowed");
    });

    it("keeps results until they are acknowledged, and lists running commands", async () => {
      const { id } = await spawn();
      const done = await run(id, "(exit 6)");
      const commandId = nextCommand();
      const wait = { type: "background", collectMs: 0 } as const;
      await host.terminals.run(id, { commandId, line: "read go", wait });
      const before = await host.unfinished();

      await host.acknowledge(done.commandId);
      const after = await host.unfinished();

      expect(before.finished).toContainEqual(done);
      expect(after.finished).not.toContainEqual(done);
      expect(after.running).toContainEqual({ commandId, terminalId: id });
    });

    it("returns the current screen, with its output position", async () => {
      const { id } = await spawn();
      const report = await run(id, "printf '\\033]0;a title\\007'; echo on screen");

      const snapshot = await host.snapshot(id, { scrollbackLines: 10 });

      expect(snapshot).toMatchObject({ cols: 80, rows: 24, title: "a title", isExact: true, isAlternate: false });
      expect(snapshot?.position).toBeGreaterThanOrEqual(report.endPosition);
      expect(Buffer.from(snapshot?.bytes ?? []).toString()).toContain("on screen");
    });

    it("finds the reader, and types only for it", async () => {
      const { id } = await spawn();
      const commandId = nextCommand();
      const line = "head -n 1 >/dev/null";
      await host.terminals.run(id, { commandId, line, wait: { type: "idle", idleMs: null, timeoutMs: 20_000 } });

      const reader = await host.terminals.reader(id);
      const readerPids = reader.kind === "program" ? reader.processes.map(({ pid }) => pid) : [];
      const typed = await host.terminals.type(id, { text: "word\n", readerPids, readsLines: true });

      expect(reader).toMatchObject({ kind: "program", readsLines: true, hidesInput: false });
      expect(typed).toEqual({ typedCharacters: 5, stopped: "no" });
      expect(await host.terminals.waitFor(id, commandId, patiently)).toMatchObject({ exitCode: 0 });
    });

    it("C4 resolves a wall on its own disk, or says what its machine lacks for it", async () => {
      await writeFile(join(folder.folder, "one.key"), "");
      const plan: WallPlan = {
        shown: { isolation: "sandbox", network: "none" },
        agentId: "agt-contract",
        workspace: folder.folder,
        ...{ writable: [], readable: ["~/tools"], frozen: ["*.key"], reserved: [".env"], env: [], hosts: [] },
      };

      const answer = await host.wallFor(plan);

      if (answer.status === "missing") return expect(answer.fix).not.toBe("");
      const { wall } = answer;
      expect(wall.writable).toEqual([folder.folder]);
      expect(wall.frozen).toEqual([join(folder.folder, "one.key")]);
      expect(wall.reserved).toEqual([join(folder.folder, ".env")]);
      expect(wall.readable).toEqual([expect.stringMatching(/^\/.+\/tools$/)]);
      expect(wall.home.startsWith(`${wall.hidden[0]}/`)).toBe(true);
      expect(await host.wallHomeNames("agt-contract")).toEqual([]);
      await mkdir(join(wall.home, ".config", "gh"), { recursive: true });
      expect(await host.wallHomeNames("agt-contract")).toEqual([".config", ".config/gh"]);
    });

    it("input arrives completely, and unread input is refused above a limit", async () => {
      const { id } = await program("sh", "-c", "stty raw -echo; echo ready; head -c 300000 | md5sum");
      await untilReached(host, id, 6);
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 251));
      const sleeper = await program("sleep", "1000");

      const whole = drain(id, 0);
      await host.terminals.write(id, bytes);
      const { text } = await whole;

      expect(text).toContain(createHash("md5").update(bytes).digest("hex"));
      await expect(host.terminals.write(sleeper.id, Buffer.alloc(4_000_000))).rejects.toMatchObject({
        code: "input-full",
      });
    });
  });
}
