import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyRecording } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import { expect, onTestFinished, vi } from "vitest";
import { type BelayProcess, belayJson, runBelay } from "./belay-process.ts";
import { hostPidsOf, isAlive, pidsRunning } from "./end-host.ts";
import { TestAgent } from "./test-agent.ts";
import { TestViewer } from "./test-viewer.ts";

let scenes = 0;
const patience = { timeout: 40_000 };

/** Everything that could be lost: a shell with a running command, children outside its session, a viewer. */
export class SurvivalScene {
  readonly dataDir = mkdtempSync(join(tmpdir(), "belay-scene-"));
  readonly #folder = mkdtempSync(join(tmpdir(), "belay-work-"));
  #gateway: BelayProcess | null = null;
  #url = "";
  #token = "";
  #viewer: TestViewer | null = null;
  #position = 0;
  #terminalId: TerminalId = "pty-0";
  #handle = "";
  #pids: number[] = [];

  constructor() {
    onTestFinished(() => {
      for (const dir of [this.dataDir, this.#folder]) rmSync(dir, { recursive: true, force: true });
    });
  }

  async start(...options: string[]): Promise<void> {
    this.#gateway = runBelay(this.dataDir, ["start", ...options]);
    this.#url = await this.#gateway.ready;
  }

  async begin(): Promise<void> {
    this.#token = ((await belayJson(this.dataDir, "agent", "add", "tester")) as { token: string }).token;
    // An unusual number of seconds, by which the children are found.
    const seconds = String(100_000 + process.pid + ++scenes);
    const children = `setsid sleep ${seconds} & nohup sleep ${seconds} >/dev/null 2>&1 &`;
    const reply = await (await this.#connect()).call("terminal", {
      command: `cd ${this.#folder}; ${children} until [ -e go ]; do sleep 0.02; done; echo ended; (exit 7)`,
      background: true,
    });
    this.#handle = String(reply.handle_id);
    this.#terminalId = reply.terminal_id as TerminalId;
    this.#viewer = await this.#watch();
    const { terminal, position } = await this.#viewer.attach(this.#terminalId);
    if (terminal.state.status !== "running") throw new Error(`It is ${terminal.state.status}.`);
    this.#position = position;
    this.#pids = [terminal.state.pid, ...pidsRunning(["sleep", seconds])];
    expect(this.#pids).toHaveLength(3);
  }

  /** Sends the gateway a signal and returns its output until it ends. */
  async end(signal: NodeJS.Signals): Promise<string> {
    this.#gateway?.child.kill(signal);
    return (await this.#gateway?.ended)?.stdout ?? "";
  }

  killHost(): void {
    for (const pid of hostPidsOf(this.dataDir)) process.kill(pid, "SIGKILL");
  }

  async seeProcesses(): Promise<string> {
    if (this.#pids.every(isAlive)) return "keep running";
    await vi.waitFor(() => expect(this.#pids.filter(isAlive)).toEqual([]), patience);
    return "end, all of them";
  }

  /** A viewer is told at once, without asking. */
  async seeToldAtOnce(): Promise<void> {
    expect(await this.#viewer?.expect("exit")).toMatchObject({ exitCode: null });
  }

  /** A viewer that reconnects sends the position of the last byte it got. */
  async seeViewers(): Promise<string> {
    const viewer = await this.#watch();
    viewer.tell({ type: "attach", id: this.#terminalId, from: this.#position });
    const answers = [viewer.expect("attached"), viewer.expect("error")] as const;
    for (const answer of answers) answer.catch(() => {}); // only one of them will come
    const answer = await Promise.race(answers);
    if (answer.type === "error") return "are told that the terminal is gone";
    expect(answer.position).toBe(this.#position);
    this.#letEnd();
    // Nothing before it: earlier output is not repeated.
    expect(await viewer.expectText("ended\r\n")).toMatch(/^ended\r\n/);
    return "resume at the same byte";
  }

  /** The agent's reply when it polls its command. */
  async seeCommand(): Promise<string> {
    this.#letEnd();
    const reply = await (await this.#connect()).call("terminal", { handle_id: this.#handle, wait_ms: 40_000 });
    if (reply.state === "completed" && reply.exit_code === 7) return "finishes, and its result waits for the agent";
    if (reply.state === "exited") return `\`exited\`${reply.exit_code === null ? ", exit code unknown" : ""}`;
    return String(reply.output);
  }

  async seeOutput(): Promise<string> {
    const dir = join(this.dataDir, "recordings");
    if (this.#pids.every(isAlive)) {
      const path = join(dir, `${this.#terminalId}.raw`);
      await vi.waitFor(() => expect(readFileSync(path, "utf8")).toContain("ended\r\n"), patience);
      return "continues without a gap";
    }
    expect(await verifyRecording(dir, this.#terminalId)).toEqual({ isIntact: true });
    return "is recorded up to that point";
  }

  async seeRecord(): Promise<string> {
    const { ok } = (await belayJson(this.dataDir, "audit", "verify")) as { ok: boolean };
    return ok ? "intact" : "broken";
  }

  async seeNewTerminal(): Promise<void> {
    const reply = await (await this.#connect()).call("terminal", { command: "echo again" });
    expect(reply).toMatchObject({ exit_code: 0, output: "again" });
  }

  #letEnd(): void {
    writeFileSync(join(this.#folder, "go"), "");
  }

  async #connect(): Promise<TestAgent> {
    const agent = await TestAgent.connect(this.#url, this.#token);
    onTestFinished(() => agent.close());
    return agent;
  }

  async #watch(): Promise<TestViewer> {
    const viewer = await TestViewer.connect(this.#url, { authorization: `Bearer ${this.#token}` });
    onTestFinished(() => viewer.close());
    return viewer;
  }
}
