import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TerminalId } from "@belay/protocol";
import { recordingsDirOf } from "../../host/local-host.ts";
import { nodeArguments } from "../../own-programs.ts";
import { recordingPaths } from "../../recording/format.ts";
import { verifyRecording } from "../../recording/recover.ts";
import { type ChaosPlan, expectedOutput, planPath, randomFrom, receivedPath, resultsPath } from "./plan.ts";
import { findPids } from "./processes.ts";

const VIEWER_PROGRAM = new URL("./viewer-process.ts", import.meta.url);
/** A generous limit, even for a busy machine. */
const PATIENCE_MS = 60_000;

export interface ChaosTally {
  kills: number;
  bytes: number;
  commands: number;
}

/**
 * Repeatedly kills a process that acts as the gateway while terminals print and commands run,
 * then lets the last one finish. Throws if a byte or a result is lost or duplicated.
 */
export async function killGateways(seed: number, kills: number): Promise<ChaosTally> {
  const round = new Round(seed, { lines: 40_000 + (seed % 7) * 20_000 });
  try {
    for (let kill = 0; kill < kills; kill++) {
      const viewer = round.startViewer();
      // At any moment: even before it is connected, and while it starts the host.
      if (round.random(4) > 0) await viewer.says("ready", "done");
      await delay(round.random(500));
      await viewer.kill();
    }
    await round.startViewer().says("done");
    return { kills, ...(await round.verifyWhole()) };
  } finally {
    await round.end();
  }
}

/** Kills the host under load: none of its terminals survives, and a new host replaces it. */
export async function killHost(seed: number): Promise<ChaosTally> {
  const round = new Round(seed, { lines: 3_000_000 });
  try {
    const viewer = round.startViewer();
    await viewer.says("ready");
    await delay(round.random(700));
    const [hostPid] = round.hostPids();
    if (hostPid === undefined) throw new Error(`Seed ${seed}: no host to kill.`);
    const before = round.terminalPids().length;
    process.kill(hostPid, "SIGKILL");

    await viewer.says("hostLost, 0 open");
    await until(() => round.terminalPids().length === 0, `Seed ${seed}: of ${before} processes some survived`);
    await viewer.kill();
    return { kills: 1, ...(await round.verifyBeginnings()) };
  } finally {
    await round.end();
  }
}

class Viewer {
  readonly #process: ChildProcess;
  #said = "";
  #exitCode: number | null | "no" = "no";

  constructor(folder: string) {
    this.#process = spawn(process.execPath, [...nodeArguments(VIEWER_PROGRAM), folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#process.stdout?.on("data", (chunk: Buffer) => {
      this.#said += chunk;
    });
    this.#process.once("exit", (code) => {
      this.#exitCode = code;
    });
  }

  /** Waits until it has printed one of these; a viewer that ends earlier is a failure. */
  async says(...words: string[]): Promise<void> {
    const isSaid = () => this.#said.split("\n").some((line) => words.includes(line));
    await until(
      () => {
        if (!isSaid() && this.#exitCode !== "no") throw new Error(`It ended with ${this.#exitCode}: ${this.#said}`);
        return isSaid();
      },
      `Never said ${words.join(" or ")}, but ${this.#said}`,
    );
  }

  async kill(): Promise<void> {
    if (this.#exitCode !== "no") return;
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }
}

class Round {
  readonly random: (below: number) => number;
  readonly #seed: number;
  readonly #folder: string;
  readonly #plan: ChaosPlan;
  readonly #viewers: Viewer[] = [];

  constructor(seed: number, { lines }: { lines: number }) {
    this.#seed = seed;
    this.random = randomFrom(seed);
    this.#folder = mkdtempSync(join(tmpdir(), "belay-chaos-"));
    const home = join(this.#folder, "home");
    mkdirSync(home);
    const runaways = "nohup sleep 9999 >/dev/null 2>&1 & setsid sleep 9999 </dev/null >/dev/null 2>&1 &";
    this.#plan = {
      dataDir: join(this.#folder, "data"),
      home,
      mark: `chaos-${process.pid}-${seed}-${Math.floor(performance.now())}`,
      programs: [
        // A flood, a steady stream, and one line at a time.
        { id: "pty-flood", lines, script: `${runaways} seq 1 ${lines}` },
        { id: "pty-flow", lines: 20_000, script: paced(20, 1_000, "0.1") },
        { id: "pty-drops", lines: 60, script: paced(60, 1, "0.05") },
      ],
      shell: {
        id: "pty-shell",
        commands: Array.from({ length: 12 }, (_, at) => ({ id: `cmd-${at + 1}`, exitCode: this.random(200) })),
      },
    };
    writeFileSync(planPath(this.#folder), JSON.stringify(this.#plan));
  }

  startViewer(): Viewer {
    const viewer = new Viewer(this.#folder);
    this.#viewers.push(viewer);
    return viewer;
  }

  hostPids(): number[] {
    return findPids("cmdline", `\0${this.#plan.dataDir}\0`);
  }

  /** Every process of every terminal, including daemons. */
  terminalPids(): number[] {
    return findPids("environ", `CHAOS=${this.#plan.mark}`);
  }

  /** Checks every byte that viewers received and that was recorded, that every result came once, and that no process is left. */
  async verifyWhole(): Promise<{ bytes: number; commands: number }> {
    let bytes = 0;
    for (const { id, lines } of this.#plan.programs) {
      const expected = expectedOutput(lines);
      this.#expect(`${id} received`, digest(this.#received(id)), digest(Buffer.from(expected)));
      this.#expect(`${id} recorded`, digest(this.#recorded(id)), digest(Buffer.from(expected)));
      bytes += expected.length;
    }
    const { id: shell, commands } = this.#plan.shell;
    this.#expect("the shell's output", digest(this.#received(shell)), digest(this.#recorded(shell)));
    bytes += this.#received(shell).byteLength;
    for (const { id } of [...this.#plan.programs, this.#plan.shell]) {
      this.#expect(`the recording of ${id}`, await verifyRecording(recordingsDirOf(this.#plan.dataDir), id), {
        isIntact: true,
      });
    }
    this.#verifyResults();
    const began = this.#received(shell)
      .toString()
      .match(/^began cmd-\d+/gm);
    this.#expect(
      "what began",
      began,
      commands.map(({ id }) => `began ${id}`),
    );
    // The host is still running; its terminals have ended, with everything that they started.
    await until(() => this.terminalPids().length === 0, `Seed ${this.#seed}: processes outlived their terminals`);
    return { bytes, commands: commands.length };
  }

  /** After a host was killed: the output is a prefix of the expected one, and the recordings are closed. */
  async verifyBeginnings(): Promise<{ bytes: number; commands: number }> {
    let bytes = 0;
    for (const { id, lines } of this.#plan.programs) {
      const expected = Buffer.from(expectedOutput(lines));
      for (const found of [this.#received(id), this.#recorded(id)]) {
        this.#expect(`what is left of ${id}`, digest(found), digest(expected.subarray(0, found.byteLength)));
        bytes += found.byteLength;
      }
    }
    for (const { id } of [...this.#plan.programs, this.#plan.shell]) {
      this.#expect(`the recording of ${id}`, await verifyRecording(recordingsDirOf(this.#plan.dataDir), id), {
        isIntact: true,
      });
    }
    return { bytes, commands: 0 };
  }

  /** Ends everything that the round started, by pid. */
  async end(): Promise<void> {
    for (const viewer of this.#viewers) await viewer.kill();
    for (const pid of this.hostPids()) process.kill(pid, "SIGTERM");
    await until(() => this.hostPids().length === 0, `Seed ${this.#seed}: the host did not end`);
    await until(() => this.terminalPids().length === 0, `Seed ${this.#seed}: processes outlived their host`);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #verifyResults(): void {
    const lines = existsSync(resultsPath(this.#folder)) ? readFileSync(resultsPath(this.#folder), "utf8").trim() : "";
    // If it was killed between the result and its acknowledgement, the next one gets the same result again.
    const results = [...new Set(lines.split("\n"))].map((line) => JSON.parse(line));
    const expected = this.#plan.shell.commands.map(({ id, exitCode }) => [id, "completed", exitCode]);
    this.#expect("the results", results, expected);
  }

  #received(id: TerminalId): Buffer {
    return readFileSync(receivedPath(this.#folder, id));
  }

  #recorded(id: TerminalId): Buffer {
    return readFileSync(recordingPaths(recordingsDirOf(this.#plan.dataDir), id).raw);
  }

  #expect(what: string, found: unknown, expected: unknown): void {
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
    if (a !== b) throw new Error(`Seed ${this.#seed}, ${what}: ${a} instead of ${b}. Look in ${this.#folder}`);
  }
}

/** Numbers from 1 on, in groups. */
function paced(times: number, each: number, pause: string): string {
  return `i=0; while [ $i -lt ${times} ]; do seq $((i * ${each} + 1)) $(((i + 1) * ${each})); i=$((i + 1)); sleep ${pause}; done`;
}

function digest(bytes: Buffer): string {
  return `${bytes.byteLength} bytes, ${createHash("sha256").update(bytes).digest("hex")}`;
}

async function until(isTrue: () => boolean, otherwise: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error(otherwise);
    await delay(10);
  }
}
