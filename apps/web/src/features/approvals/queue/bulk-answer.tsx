"use client";

import type { Approval } from "@belay/protocol";
import type { ComponentProps } from "react";
import { Button } from "@/ui/controls/button.tsx";
import { KeyHint } from "@/ui/controls/kbd.tsx";
import { HOLDS_ANSWERS } from "../answer/use-key-guard.ts";
import { PlainText } from "../reading/plain-text.tsx";
import { ReadBox } from "../reading/read-box.tsx";
import { ReadGate } from "../reading/read-gate.tsx";
import { canAnswerInBulk, countEqual } from "./alike.ts";

/** Answers several questions at once. Every command is shown, and dangerous ones are left out. */
export function BulkAnswer({
  picked,
  gate,
  isReady,
  isRead,
  isRefuseOnly,
  nameOf,
  onAnswer,
  onClear,
}: {
  picked: readonly Approval[];
  gate: ComponentProps<typeof ReadGate>["gate"];
  isReady: boolean;
  /** Whether every command was on the screen. */
  isRead: boolean;
  isRefuseOnly(agentId: string): boolean;
  nameOf(agentId: string): string;
  onAnswer(decision: "approve" | "deny", approvals: readonly Approval[]): void;
  onClear(): void;
}) {
  const answerable = picked.filter(canAnswerInBulk);
  const approvable = answerable.filter(({ subject }) => !isRefuseOnly(subject.agentId));
  const ownCount = answerable.length - approvable.length;
  const leftOut = picked.length - answerable.length;
  const agents = [...new Set(answerable.map(({ subject }) => nameOf(subject.agentId)))];
  return (
    <section
      aria-label={`${picked.length} selected`}
      className="flex min-w-0 flex-col rounded-xl border border-line bg-raised"
    >
      <div className="p-4 sm:p-5">
        <h2 className="text-base font-semibold tracking-tight">
          {countCommands(answerable)} of {agents.join(", ") || "no agent"}
        </h2>
        {leftOut > 0 && (
          <p className="mt-1 text-sm text-danger">
            {leftOut} left out: dangerous commands, those that run a file, and those that need several people are
            answered one by one.
          </p>
        )}
        {ownCount > 0 && (
          <p className="mt-1 text-sm text-muted">
            {ownCount === 1 ? "1 is from an agent that acts" : `${ownCount} are from agents that act`} for you. The
            policy leaves {ownCount === 1 ? "its approval" : "their approvals"} to others; you can refuse{" "}
            {ownCount === 1 ? "it" : "them"}.
          </p>
        )}
        <ReadGate gate={gate}>
          <ReadBox
            label="The commands"
            className="mt-3 max-h-[50dvh] overflow-y-auto rounded-lg border border-line bg-sunken p-3"
          >
            <ul className="grid gap-1">
              {countEqual(answerable).map(({ text, count }) => (
                <li key={text} className="flex items-baseline gap-3">
                  <code className="min-w-0 flex-1 font-mono text-sm leading-6 break-words whitespace-pre-wrap">
                    <PlainText text={text} />
                  </code>
                  {count > 1 && <span className="shrink-0 text-sm text-muted tabular-nums">×{count}</span>}
                </li>
              ))}
            </ul>
          </ReadBox>
        </ReadGate>
      </div>
      <div
        {...HOLDS_ANSWERS}
        className="sticky bottom-14 flex flex-wrap gap-2 rounded-b-xl border-t border-line bg-raised p-4 sm:px-5 lg:bottom-0 short:static"
      >
        {approvable.length > 0 && (
          <Button disabled={!isReady || !isRead} onClick={() => onAnswer("approve", approvable)}>
            Run {countCommands(approvable)} <KeyHint>y</KeyHint>
          </Button>
        )}
        <Button
          look="danger-quiet"
          disabled={!isReady || answerable.length === 0}
          onClick={() => onAnswer("deny", answerable)}
        >
          Refuse {answerable.length === 1 ? "it" : "them"}
        </Button>
        <Button look="quiet" onClick={onClear}>
          Back <KeyHint>esc</KeyHint>
        </Button>
      </div>
    </section>
  );
}

function countCommands({ length }: readonly Approval[]): string {
  return length === 1 ? "1 command" : `${length} commands`;
}
