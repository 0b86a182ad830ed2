"use client";

import type { Approval } from "@belay/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/button.tsx";
import { KeyHint } from "@/ui/kbd.tsx";
import { diffWords } from "./diff-words.ts";

const LOOKS = {
  same: "",
  removed: "bg-danger-soft text-danger line-through",
  added: "bg-accent-soft text-accent no-underline",
} as const;

/** Other words for the same wish. What changed is shown, and what the policy says to it. */
export function EditForm({
  approval,
  profile,
  isBusy,
  onRun,
  onCancel,
}: {
  approval: Approval;
  profile: string | undefined;
  isBusy: boolean;
  onRun(command: string): void;
  onCancel(): void;
}) {
  const original = approval.subject.text;
  const [text, setText] = useState(original);
  const isChanged = text !== original && text.trim() !== "";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) onRun(text);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && isChanged && !isBusy) onRun(text);
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
      {isChanged && <Changes before={original} after={text} profile={profile} />}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" disabled={!isChanged || isBusy}>
          Run the edited command <KeyHint>⌃⏎</KeyHint>
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel <KeyHint>esc</KeyHint>
        </Button>
      </div>
    </form>
  );
}

function Changes({ before, after, profile }: { before: string; after: string; profile: string | undefined }) {
  const settled = useDeferredValue(after);
  const check = useQuery(
    useTRPC().policy.check.queryOptions(
      { command: settled, ...(profile ? { profile } : {}) },
      { placeholderData: keepPreviousData },
    ),
  );
  const verdict = check.data;
  return (
    <div className="mt-2 rounded-md border border-line p-3">
      <p className="mb-1 text-xs font-medium text-muted">What changes</p>
      <p className="max-h-32 overflow-y-auto font-mono text-sm leading-6 break-words whitespace-pre-wrap">
        {diffWords(before, after).map(({ kind, text }, index) => {
          const Tag = kind === "removed" ? "del" : kind === "added" ? "ins" : "span";
          return (
            <Tag key={index} className={LOOKS[kind]}>
              {text}
            </Tag>
          );
        })}
      </p>
      {verdict && (
        <p role="status" className={`mt-2 text-sm ${verdict.decision === "deny" ? "text-danger" : "text-muted"}`}>
          {verdict.decision === "deny"
            ? `The policy forbids this: ${verdict.matches[0]?.reason ?? ""}`
            : verdict.decision === "allow"
              ? "The policy would let this run by itself."
              : `The policy would ask about this too: ${verdict.matches[0]?.reason ?? ""}`}
        </p>
      )}
    </div>
  );
}
