import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ProvedGateway } from "./proved-gateway.ts";

/** What a call said of its command. */
type Said = "done" | "refused" | "unknown";

interface Pending {
  id: string;
}

const SETTLED_MS = 60_000;
const CALL_MS = 50_000;

/** Where an agent works. */
export interface Workplace {
  /** The machine that it is bound to; null: the gateway's own. */
  machine: string | null;
  workspace: string;
}

/** Agents on other machines pause between commands: many of them share the processors of one. */
const PAUSE_MS = 400;

/**
 * Agents that run numbered commands at any gateway, and people who answer each approval at two gateways at once. Every command
 * appends its number to a file of its machine, which shows afterwards what really ran.
 */
export class Load {
  readonly #gateways: readonly ProvedGateway[];
  readonly #files = new Set<string>();
  readonly #said = new Map<number, Said>();
  readonly #problems: string[] = [];
  #agents: Promise<void>[] = [];
  #person: Promise<void> = Promise.resolve();
  #number = 0;
  #isStopping = false;
  #isQuiet = false;
  done = 0;
  refused = 0;
  answered = 0;

  static async start(gateways: readonly ProvedGateway[], workplaces: readonly Workplace[]): Promise<Load> {
    const load = new Load(gateways);
    for (const [index, { machine, workspace }] of workplaces.entries()) {
      const gateway = gateways[index % gateways.length] as ProvedGateway;
      const added = await gateway.call("agents.add", {
        name: `agent-${index}`,
        ...(machine === null ? {} : { machines: machine }),
      });
      const file = join(workspace, "ran.txt");
      load.#files.add(file);
      load.#agents.push(load.#work((added as { token: string }).token, file, machine === null ? 0 : PAUSE_MS));
    }
    load.#person = load.#answer();
    return load;
  }

  private constructor(gateways: readonly ProvedGateway[]) {
    this.#gateways = gateways;
  }

  /** Waits until this many more commands are done. */
  async untilMore(commands: number): Promise<void> {
    const wanted = this.done + commands;
    const until = performance.now() + SETTLED_MS;
    while (this.done < wanted) {
      if (performance.now() > until) throw new Error("Agents cannot work any more.");
      await delay(20);
    }
  }

  /** Agents stop first; their last questions are answered. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#agents);
    this.#isQuiet = true;
    await this.#person;
  }

  /** What should not have happened. */
  async check(): Promise<string[]> {
    const written = [...this.#files].filter(existsSync).map((file) => readFileSync(file, "utf8"));
    const lines = written.flatMap((text) => text.split("\n").filter(Boolean));
    const ran = new Map<number, number>();
    for (const line of lines) ran.set(Number(line), (ran.get(Number(line)) ?? 0) + 1);
    for (const [number, times] of ran) if (times > 1) this.#problems.push(`command ${number} ran ${times} times`);
    for (const [number, said] of this.#said) {
      const hasRun = ran.has(number);
      if (said === "done" && !hasRun) this.#problems.push(`command ${number} was reported as done, and did not run`);
      if (said === "refused" && hasRun) this.#problems.push(`command ${number} was reported as refused, and ran`);
    }
    const left = await this.#pending(this.#any());
    for (const { id } of left) this.#problems.push(`approval ${id} was neither answered nor withdrawn`);
    return this.#problems;
  }

  async #work(token: string, file: string, pauseMs: number): Promise<void> {
    while (!this.#isStopping) {
      this.#number += 1;
      const number = this.#number;
      const asks = number % 3 === 0 ? "true && some-unknown-program; " : "";
      const said = await this.#run(`${asks}echo ${number} >> ${file}`, token);
      this.#said.set(number, said);
      if (said === "done") this.done += 1;
      else {
        this.refused += 1;
        await delay(200);
      }
      if (pauseMs > 0) await delay(pauseMs);
    }
  }

  async #run(command: string, token: string): Promise<Said> {
    try {
      const input = { command, wait: { idleMs: null } };
      const reply = (await this.#any().call("terminals.run", input, token, CALL_MS)) as {
        status: string;
        report?: { state: string };
        hasBegun?: boolean;
      };
      if (reply.status === "ran") return reply.report?.state === "completed" ? "done" : "unknown";
      // It may still be approved, or has begun.
      if (reply.status === "waiting" || reply.status === "running" || reply.hasBegun) return "unknown";
      return "refused";
    } catch {
      return "unknown"; // cut off: it may have run
    }
  }

  /** Answers everything that waits, each at two gateways at once, until nothing waits after the end. */
  async #answer(): Promise<void> {
    let endsAt = Number.POSITIVE_INFINITY;
    for (;;) {
      const pending = await this.#pending(this.#any());
      if (this.#isQuiet) endsAt = Math.min(endsAt, performance.now() + SETTLED_MS);
      if (this.#isQuiet && (pending.length === 0 || performance.now() > endsAt)) return;
      await Promise.all(pending.map((approval) => this.#decide(approval)));
      await delay(30);
    }
  }

  async #decide({ id }: Pending): Promise<void> {
    const answers = await Promise.allSettled([this.#approve(id), this.#approve(id)]);
    const counted = answers.filter(({ status }) => status === "fulfilled").length;
    if (counted > 1) this.#problems.push(`approval ${id} was answered ${counted} times`);
    if (counted > 0) this.answered += 1;
  }

  #approve(id: string): Promise<unknown> {
    return this.#any().call("approvals.decide", { id, decision: "approve" }, undefined, 10_000);
  }

  async #pending(gateway: ProvedGateway): Promise<Pending[]> {
    return (await gateway.call("approvals.list", { state: "pending" }, undefined, 10_000).catch(() => [])) as Pending[];
  }

  #any(): ProvedGateway {
    return this.#gateways[Math.floor(Math.random() * this.#gateways.length)] as ProvedGateway;
  }
}
