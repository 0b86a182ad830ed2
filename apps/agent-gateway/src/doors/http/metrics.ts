import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { TerminalPool } from "@belay/core";
import type { Approval, AuditEvent } from "@belay/protocol";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { EventBus } from "../../events.ts";

const NANOSECONDS = 1e9;
/** Two scrapers within this window get the same figures, because reading resets them. */
const LOOP_WINDOW_MS = 10_000;

/** Metrics for a monitoring system. Numbers only: no label contains anything that was typed. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #loop: IntervalHistogram = monitorEventLoopDelay({ resolution: 10 });
  readonly #commands: Counter<"verdict">;
  readonly #outcomes: Counter<"outcome">;
  readonly #auditSeconds: Histogram;
  readonly #approvalSeconds: Histogram<"answer">;
  readonly #streamBytes: Counter<"form">;
  readonly #sockets: Gauge<"form">;
  readonly #recordFailures: Counter;

  readonly #unsubscribe: () => void;

  constructor(events: EventBus) {
    this.#unsubscribe = events.subscribe((event) => {
      if (event.type === "approval" && event.event === "settled") this.#approvalSettled(event.approval);
    });
    const registers = [this.#registry];
    this.#commands = new Counter({
      name: "belay_commands_total",
      help: "Commands of agents, by verdict.",
      labelNames: ["verdict"],
      registers,
    });
    this.#outcomes = new Counter({
      name: "belay_commands_closed_total",
      help: "Finished commands of agents, by outcome.",
      labelNames: ["outcome"],
      registers,
    });
    this.#auditSeconds = new Histogram({
      name: "belay_audit_append_seconds",
      help: "Time until a row of the record is on disk.",
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
      registers,
    });
    this.#recordFailures = new Counter({
      name: "belay_audit_failures_total",
      help: "Rows of the record that could not be written, so the action was not performed.",
      registers,
    });
    this.#approvalSeconds = new Histogram({
      name: "belay_approval_wait_seconds",
      help: "How long commands waited for a person, by the answer.",
      labelNames: ["answer"],
      buckets: [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
      registers,
    });
    this.#streamBytes = new Counter({
      name: "belay_stream_bytes_total",
      help: "Bytes of messages sent to viewers.",
      labelNames: ["form"],
      registers,
    });
    this.#sockets = new Gauge({
      name: "belay_sockets",
      help: "Open sockets of viewers.",
      labelNames: ["form"],
      registers,
    });
    this.#loop.enable();
    this.#watchProcess();
  }

  /** The format that Prometheus reads. */
  async text(terminals: TerminalPool): Promise<{ contentType: string; text: string }> {
    this.#terminals.reset();
    for (const { owner, state, activity } of await terminals.list())
      this.#terminals.inc({ owner, state: state.status, activity: activity.kind });
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  rowWritten({ type, detail }: Pick<AuditEvent, "type" | "detail">, seconds: number): void {
    this.#auditSeconds.observe(seconds);
    if (type === "command.judged") this.#commands.inc({ verdict: String(detail.decision) });
    if (type === "command.closed") this.#outcomes.inc({ outcome: String(detail.status) });
  }

  rowRefused(): void {
    this.#recordFailures.inc();
  }

  sent(form: "json" | "binary", bytes: number): void {
    this.#streamBytes.inc({ form }, bytes);
  }

  /** Counts an open socket; call the returned function when it closes. */
  socketOpened(form: "json" | "binary"): () => void {
    this.#sockets.inc({ form });
    return () => this.#sockets.dec({ form });
  }

  close(): void {
    this.#unsubscribe();
    this.#loop.disable();
  }

  #approvalSettled({ state, createdAt }: Approval): void {
    if (state.status !== "pending")
      this.#approvalSeconds.observe({ answer: state.status }, Math.max(0, state.at - createdAt) / 1000);
  }

  readonly #terminals: Gauge<"owner" | "state" | "activity"> = new Gauge({
    name: "belay_terminals",
    help: "Terminals, by owner, state, and whether a command is running.",
    labelNames: ["owner", "state", "activity"],
    registers: [this.#registry],
  });

  #watchProcess(): void {
    const loop = this.#loop;
    let begunAt = performance.now();
    const registers = [this.#registry];
    new Gauge({
      name: "belay_event_loop_delay_seconds",
      help: "Event loop delay of the gateway over the last seconds.",
      labelNames: ["quantile"],
      registers,
      collect() {
        for (const quantile of [50, 90, 99, 100])
          this.set({ quantile: quantile / 100 }, loop.percentile(quantile) / NANOSECONDS);
        if (performance.now() - begunAt < LOOP_WINDOW_MS) return;
        loop.reset();
        begunAt = performance.now();
      },
    });
    new Gauge({
      name: "process_resident_memory_bytes",
      help: "Memory of the gateway.",
      registers,
      collect() {
        this.set(process.memoryUsage.rss());
      },
    });
    new Gauge({
      name: "process_cpu_seconds_total",
      help: "CPU time of the gateway.",
      registers,
      collect() {
        const { user, system } = process.cpuUsage();
        this.set((user + system) / 1e6);
      },
    });
  }
}
