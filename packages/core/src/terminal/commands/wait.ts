import type { CommandReport, CommandState, Evidence } from "@belay/protocol";
import type { WaitStrategy } from "../../pool/requests.ts";
import type { Command, Want } from "./command.ts";

export interface WaitView {
  want: Want;
  /** Since the wait began. */
  elapsedMs: number;
  /** Since the command last printed or got input, at most since the wait began. */
  silentMs: number;
}

export type WaitDecision =
  | { type: "report"; state: CommandState; evidence: Evidence }
  | { type: "wait"; forMs: number };

/** Whether a wait for a running command is over. */
export function decideWait(strategy: WaitStrategy, { want, elapsedMs, silentMs }: WaitView): WaitDecision {
  const stillRunning = reportOf(want);
  switch (strategy.type) {
    case "idle": {
      if (want.kind !== "nothing" || elapsedMs >= strategy.timeoutMs) return stillRunning;
      if (strategy.idleMs === null) return waitFor(strategy.timeoutMs - elapsedMs);
      if (silentMs >= strategy.idleMs) return stillRunning;
      return waitFor(Math.min(strategy.timeoutMs - elapsedMs, strategy.idleMs - silentMs));
    }
    case "settle": {
      if (elapsedMs >= strategy.maxMs) return stillRunning;
      if (elapsedMs < strategy.minMs) return waitFor(Math.min(strategy.minMs, strategy.maxMs) - elapsedMs);
      if (want.kind !== "nothing" || silentMs >= strategy.settleMs) return stillRunning;
      return waitFor(Math.min(strategy.maxMs - elapsedMs, strategy.settleMs - silentMs));
    }
    case "background": {
      if (elapsedMs < strategy.collectMs) return waitFor(strategy.collectMs - elapsedMs);
      return { type: "report", state: "background", evidence: want.evidence };
    }
  }
}

/** Waits for a command, as the request says. An abort ends the wait but not the command. */
export function waitForCommand(command: Command, strategy: WaitStrategy, signal?: AbortSignal): Promise<CommandReport> {
  const beganAt = performance.now();
  let timer: NodeJS.Timeout | null = null;
  let stopListening = () => {};
  const stop = () => {
    if (timer) clearTimeout(timer);
    stopListening();
  };

  return new Promise<CommandReport>((resolve, reject) => {
    const look = () => {
      if (timer) clearTimeout(timer);
      if (command.failure) return reject(command.failure);
      if (command.finished) return resolve(command.finished);
      const at = performance.now();
      const decision = decideWait(strategy, {
        want: command.want,
        elapsedMs: at - beganAt,
        silentMs: at - Math.max(command.lastActivityAt, beganAt),
      });
      if (decision.type === "report") return resolve(command.report(decision.state, decision.evidence));
      timer = setTimeout(look, Math.max(1, decision.forMs));
    };
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort, { once: true });
    const unlisten = command.onChange(look);
    stopListening = () => {
      unlisten();
      signal?.removeEventListener("abort", abort);
    };
    look();
  }).finally(stop);
}

function reportOf({ kind, evidence }: Want): WaitDecision {
  switch (kind) {
    case "nothing":
      return { type: "report", state: "running", evidence };
    case "input":
      return { type: "report", state: "waiting_input", evidence };
    case "secret":
      return { type: "report", state: "waiting_secret", evidence };
    case "fullscreen":
      return { type: "report", state: "fullscreen", evidence };
  }
}

function waitFor(forMs: number): WaitDecision {
  return { type: "wait", forMs };
}
