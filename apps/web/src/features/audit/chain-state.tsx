"use client";

import type { ChainReport, VerifyStep } from "@belay/agent-gateway/router";
import { skipToken } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { formatMoment } from "@/features/terminals/overview/activity.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";

type State =
  | { status: "unknown" }
  | { status: "failed"; problem: string }
  | (VerifyStep & { status: "known"; at: number });

/** A button that verifies the whole record, and its result. */
export function ChainState() {
  const trpc = useTRPC();
  const [isRunning, setIsRunning] = useState(false);
  const [state, setState] = useState<State>({ status: "unknown" });
  useSubscription(
    trpc.audit.verifying.subscriptionOptions(isRunning ? {} : skipToken, {
      onData: (step) => {
        setState({ status: "known", at: Date.now(), ...step });
        if (step.type === "done") setIsRunning(false);
      },
      onError: ({ message }) => {
        setState({ status: "failed", problem: message });
        setIsRunning(false);
      },
    }),
  );
  return (
    <div className="flex flex-wrap items-center gap-2" role="status">
      <Words state={state} isRunning={isRunning} />
      <Button look="plain" size="small" disabled={isRunning} onClick={() => setIsRunning(true)}>
        {isRunning ? "Verifying …" : "Verify the chain"}
      </Button>
      {state.status === "known" && state.type === "done" && <Chains chains={state.result.chains ?? []} />}
    </div>
  );
}

/** Each gateway's own chain, if several write to the same database. */
function Chains({ chains }: { chains: ChainReport[] }) {
  if (chains.length === 0) return null;
  return (
    <ul className="basis-full text-xs text-muted tabular-nums" aria-label="Chains">
      {chains.map(({ gateway, name, rows, removed, unsigned, problem }) => (
        <li key={gateway} className={problem === null ? "" : "text-danger"}>
          Gateway {gateway} ({name}):{" "}
          {problem ??
            [
              `${rows.toLocaleString()} rows intact`,
              ...(removed > 0 ? [`${removed.toLocaleString()} sealed and removed`] : []),
              ...(unsigned > 0 ? [`${unsigned.toLocaleString()} not signed yet`] : []),
            ].join(", ")}
        </li>
      ))}
    </ul>
  );
}

function Words({ state, isRunning }: { state: State; isRunning: boolean }) {
  if (state.status === "unknown") return null;
  if (state.status === "failed") return <span className="text-danger">{state.problem}</span>;
  if (state.type === "reading") {
    if (!isRunning) return null;
    return (
      <span className="flex items-center gap-2 tabular-nums">
        <progress
          className="h-1.5 w-28 accent-accent"
          value={state.rows}
          max={Math.max(1, state.of)}
          aria-label="Rows verified"
        />
        {state.rows.toLocaleString()} of {state.of.toLocaleString()} rows
      </span>
    );
  }
  const { result } = state;
  if (!result.ok)
    return (
      <span className="flex items-center gap-1.5 font-medium text-danger">
        <ShieldAlert aria-hidden className="size-4 shrink-0" /> {result.problem}
      </span>
    );
  return (
    <span className="flex items-center gap-1.5 text-accent" title={`Verified ${formatMoment(state.at)}`}>
      <ShieldCheck aria-hidden className="size-4 shrink-0" />
      {result.rows.toLocaleString()} rows intact, {result.checkpoints.toLocaleString()} signatures
      {result.redacted && `, ${result.redacted.toLocaleString()} redacted`}
      {result.removed > 0 && `, ${result.removed.toLocaleString()} sealed and removed`}
    </span>
  );
}
