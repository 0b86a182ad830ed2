"use client";

import type { Approval } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { KeyHint } from "@/ui/controls/kbd.tsx";
import { diffWords } from "../card/diff-words.ts";
import { visibleText } from "../card/visible-text.ts";
import { ConfirmDangerous } from "./confirm-dangerous.tsx";
import { dangerWords } from "./undo-words.ts";

const LOOKS = {
  same: "",
  removed: "bg-danger-soft text-danger line-through",
  added: "bg-accent-soft text-accent no-underline",
} as const;

/** Edits the command. Shows the diff, and the policy's verdict on the new text. */
export function EditForm({
  approval,
  isBusy,
  onRun,
  onCancel,
}: {
  approval: Approval;
  isBusy: boolean;
  onRun(command: string): void;
  onCancel(): void;
}) {
  const original = approval.subject.text;
  const [text, setText] = useState(original);
  const [isConfirming, setIsConfirming] = useState(false);
  const settled = useDeferredValue(text);
  const isChanged = text !== original && text.trim() !== "";
  const check = useQuery(
    useTRPC().approvals.judgeEdit.queryOptions(
      { id: approval.id, command: settled },
      { enabled: isChanged && settled.trim() !== "" },
    ),
  );
  // Ignore verdicts on an earlier text.
  const judged = settled === text ? (check.data ?? null) : null;
  const forbidden = judged?.problem ?? (judged?.verdict.decision === "deny" ? judged.verdict.matches[0]?.reason : null);
  const canRun = isChanged && !isBusy && judged !== null && forbidden == null;
  function run() {
    if (!canRun) return;
    if (judged?.verdict.level === "dangerous") setIsConfirming(true);
    else onRun(text);
  }
  if (isConfirming && judged)
    return (
      <div>
        <code className="mb-3 block max-h-32 overflow-y-auto rounded-lg border border-line bg-sunken p-3 font-mono text-sm leading-6 break-words whitespace-pre-wrap">
          {text.split("\n").map(visibleText).join("\n")}
        </code>
        <ConfirmDangerous
          words={dangerWords({ runs: judged.verdict.runs, surface: approval.subject.surface })}
          isReady={!isBusy}
          hasKeys
          onYes={() => onRun(text)}
          onBack={() => setIsConfirming(false)}
        />
      </div>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
      }}
    >
      <label className="block">
        <span className="mb-1.5 block text-xs font-medium text-muted">Run this instead</span>
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the person just asked to edit.
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
          rows={Math.min(8, text.split("\n").length + 1)}
          spellCheck={false}
          autoCapitalize="off"
          className="block w-full rounded-md border border-edge bg-surface p-3 font-mono text-base leading-6 sm:text-sm"
        />
      </label>
      {isChanged && (
        <div className="mt-2 rounded-md border border-line p-3">
          <p className="mb-1 text-xs font-medium text-muted">What changes</p>
          <p className="max-h-32 overflow-y-auto font-mono text-sm leading-6 break-words whitespace-pre-wrap">
            {diffWords(original, text).map(({ kind, text: piece }, index) => {
              const Tag = kind === "removed" ? "del" : kind === "added" ? "ins" : "span";
              return (
                <Tag key={index} className={LOOKS[kind]}>
                  {piece}
                </Tag>
              );
            })}
          </p>
          <p role="status" className={`mt-2 text-sm ${forbidden == null ? "text-muted" : "text-danger"}`}>
            {judgedWords(judged, forbidden ?? null)}
          </p>
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" disabled={!canRun}>
          Run the edited command <KeyHint>⌃⏎</KeyHint>
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Back <KeyHint>esc</KeyHint>
        </Button>
      </div>
    </form>
  );
}

function judgedWords(
  judged: { verdict: { decision: string; matches: { reason: string }[] } } | null,
  forbidden: string | null,
): string {
  if (forbidden !== null) return `This can’t run: ${forbidden}`;
  if (judged === null) return "Checking …";
  return judged.verdict.decision === "allow"
    ? "The policy would let this run without asking."
    : `The policy would ask about this, too: ${judged.verdict.matches[0]?.reason ?? ""}`;
}
