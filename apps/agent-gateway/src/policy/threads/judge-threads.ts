import type { Worker } from "node:worker_threads";
import { startThread } from "@belay/core";
import { JUDGE_WORKER } from "../../paths.ts";
import type { JudgeResults, JudgeTask, PolicySource } from "./judge-task.ts";
import { performTask, policyFrom } from "./judge-task.ts";

/** A thousand times what the slowest everyday command takes, even on a busy machine. */
const WATCHDOG_MS = 2_000;
/** Loading may take long on a busy machine, and does not mean that a text hangs. */
const START_LIMIT_MS = 60_000;
const THREADS = 2;
const MAX_HEAP_MB = 256;
const MAX_INLINE = 4;

/** Plain words and operators: no quotes, expansions or patterns, and too short to be expensive otherwise. */
const PLAIN = /^[\w@%+=:,./ &|;>-]{1,200}$/;

export interface ThreadRequest {
  key: string;
  /** Null if the thread has cached this policy. */
  source: PolicySource | null;
  task: JudgeTask;
}

export type ThreadReply =
  | { type: "ready" }
  | { type: "done"; result: JudgeResults[JudgeTask["type"]] }
  | { type: "no-policy" }
  | { type: "failed"; message: string };

/** Judging took too long, so the effect of the text is unknown. */
export class JudgeTimeout extends Error {
  override readonly name = "JudgeTimeout";
}

interface Job {
  task: JudgeTask;
  source: PolicySource;
  /** The owner of the text, who may occupy at most one thread. */
  owner: string;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/**
 * Judges agents' texts without blocking the gateway.
 *
 * The judge limits its steps, but a fault in it, or in a parser below it, may not: so a text is judged in a thread
 * that is terminated when it takes too long. Short plain commands are judged here, which saves the round trip.
 */
export class JudgeThreads {
  readonly #threads: JudgeThread[];
  readonly #waiting: Job[] = [];
  readonly #inline = new Map<string, ReturnType<typeof policyFrom>>();
  #isClosed = false;

  constructor({ start = startWorker, watchdogMs = WATCHDOG_MS }: { start?: () => Worker; watchdogMs?: number } = {}) {
    this.#threads = Array.from({ length: THREADS }, () => new JudgeThread(start, watchdogMs));
  }

  async run<Type extends JudgeTask["type"]>(
    task: Extract<JudgeTask, { type: Type }>,
    source: PolicySource,
    owner: string,
  ): Promise<JudgeResults[Type]> {
    if (isPlain(task)) return performTask(task, this.#inlinePolicy(source)) as JudgeResults[Type];
    if (this.#isClosed) throw new JudgeTimeout("The gateway is stopping.");
    return new Promise<JudgeResults[Type]>((resolve, reject) => {
      this.#waiting.push({ task, source, owner, resolve: resolve as Job["resolve"], reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.reject(new JudgeTimeout("The gateway is stopping."));
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #next(): void {
    for (const thread of this.#threads) {
      if (thread.owner !== null) continue;
      const busy = this.#threads.map(({ owner }) => owner);
      const at = this.#waiting.findIndex(({ owner }) => !busy.includes(owner));
      const [job] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (!job) return;
      void thread.run(job).then(() => this.#next());
    }
  }

  #inlinePolicy(source: PolicySource) {
    const known = this.#inline.get(source.key);
    if (known) return known;
    const [oldest] = this.#inline.keys();
    // One policy is active at a time; the others are drafts being tried.
    if (this.#inline.size >= MAX_INLINE && oldest !== undefined) this.#inline.delete(oldest);
    const policy = policyFrom(source);
    this.#inline.set(source.key, policy);
    return policy;
  }
}

/** A shell's memory may be as expensive to judge as any text. */
function isPlain(task: JudgeTask): boolean {
  const { memory, env, stdin, argv } = task.context;
  const isBare = (value: object | null | undefined) => !value || JSON.stringify(value).length <= 2;
  const remembersNothing = !memory || Object.values(memory).every((part) => isBare(part as object | null));
  return task.type === "text" && PLAIN.test(task.text) && remembersNothing && isBare(env) && !stdin && !argv;
}

/** One thread and its job. The job is always settled, and a hanging thread is replaced. */
class JudgeThread {
  readonly #open: () => Worker;
  readonly #watchdogMs: number;
  #worker: Worker | null = null;
  #isReady = false;
  #knows = new Set<string>();
  #job: Job | null = null;
  #watchdog: NodeJS.Timeout | undefined;
  #onSettled = () => {};

  constructor(open: () => Worker, watchdogMs: number) {
    this.#open = open;
    this.#watchdogMs = watchdogMs;
  }

  get owner(): string | null {
    return this.#job?.owner ?? null;
  }

  run(job: Job): Promise<void> {
    this.#job = job;
    return new Promise((resolve) => {
      this.#onSettled = resolve;
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#watch(this.#isReady ? this.#watchdogMs : START_LIMIT_MS);
      this.#send({ withSource: !this.#knows.has(job.source.key) });
    });
  }

  async close(): Promise<void> {
    const worker = this.#drop();
    this.#settle((job) => job.reject(new JudgeTimeout("The gateway is stopping.")));
    await worker?.terminate();
  }

  #send({ withSource }: { withSource: boolean }): void {
    if (!this.#job) return;
    const { source, task } = this.#job;
    this.#knows.add(source.key);
    const request: ThreadRequest = { key: source.key, source: withSource ? source : null, task };
    this.#worker?.postMessage(request);
  }

  #watch(limitMs: number): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#abandon(new JudgeTimeout("It took too long to judge.")), limitMs);
  }

  #abandon(reason: Error): void {
    const worker = this.#drop();
    this.#settle((job) => job.reject(reason));
    void worker?.terminate();
  }

  #drop(): Worker | null {
    const worker = this.#worker;
    this.#worker = null;
    this.#isReady = false;
    this.#knows = new Set();
    return worker;
  }

  #settle(settle: (job: Job) => void): void {
    clearTimeout(this.#watchdog);
    const job = this.#job;
    this.#job = null;
    // An idle thread must not keep the process alive.
    this.#worker?.unref();
    if (job) settle(job);
    this.#onSettled();
  }

  #start(): Worker {
    const worker = this.#open();
    const isCurrent = () => worker === this.#worker;
    worker.on("message", (reply: ThreadReply) => {
      if (isCurrent()) this.#hear(reply);
    });
    worker.on("error", (error) => isCurrent() && this.#abandon(error));
    worker.on("exit", () => isCurrent() && this.#abandon(new JudgeTimeout("The thread that judges ended.")));
    return worker;
  }

  #hear(reply: ThreadReply): void {
    switch (reply.type) {
      case "ready":
        this.#isReady = true;
        if (this.#job) this.#watch(this.#watchdogMs);
        return;
      case "no-policy":
        this.#send({ withSource: true });
        return;
      case "done":
        this.#settle((job) => job.resolve(reply.result as never));
        return;
      case "failed":
        this.#settle((job) => job.reject(new Error(reply.message)));
        return;
    }
  }
}

function startWorker(): Worker {
  // The judge needs no environment variables, and a text should not be able to reach any.
  return startThread(JUDGE_WORKER, { env: {}, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
}
