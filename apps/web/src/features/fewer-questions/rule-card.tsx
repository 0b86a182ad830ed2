"use client";

import type { inferOutput } from "@trpc/tanstack-react-query";
import { ShieldCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { ruleWords } from "@/features/approvals/card/rule-words.ts";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import type { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { ScrollList } from "@/ui/lists/scroll-list.tsx";

type Found = inferOutput<ReturnType<typeof useTRPC>["policy"]["fewerQuestions"]>;
export type FoundRules = Found["found"][number];

/** One suggestion with everything for and against it. */
export function RuleCard({
  found: { rules, saved, covers, alsoAllows, withstands },
  isBusy,
  onAccept,
  onChange,
  onDismiss,
}: {
  found: FoundRules;
  isBusy: boolean;
  onAccept(): void;
  onChange(): void;
  onDismiss(): void;
}) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <li className="rounded-xl border border-line bg-raised p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <ul className="min-w-56 flex-1">
          {rules.map((rule) => {
            const { command, reach } = ruleWords(rule);
            return (
              <li key={rule.id}>
                <span className="text-sm text-muted">allow</span>{" "}
                <code className="font-mono text-sm break-all">{visibleText(command)}</code>{" "}
                <span className="text-sm text-muted">({reach})</span>
              </li>
            );
          })}
        </ul>
        <p className="text-sm">
          saves <strong className="tabular-nums">{saved}</strong> {saved === 1 ? "question" : "questions"}
        </p>
      </div>
      <div className="mt-2 grid gap-1">
        <Commands title={`Covers ${countOf(covers)}`} commands={covers} />
        {alsoAllows.length === 0 ? (
          <p className="flex items-center gap-1.5 text-sm text-muted">
            <ShieldCheck aria-hidden className="size-4 text-accent" /> Nothing else in the record would run without
            asking.
          </p>
        ) : (
          <Commands
            title={`Would also allow ${countOf(alsoAllows)} that were never approved`}
            commands={alsoAllows}
            isWarning
          />
        )}
        <details>
          <summary className="cursor-pointer text-sm text-muted pointer-coarse:py-2.5">
            Withstands {withstands.length} known ways to misuse it
          </summary>
          <ScrollList label="Known misuses" className="mt-1 max-h-48 rounded-lg border border-line bg-sunken p-2">
            {withstands.map(({ command, how }) => (
              <li key={command} className="flex flex-wrap gap-x-3 text-xs">
                <code className="font-mono break-all">{visibleText(command)}</code>
                <span className="text-muted">{how}</span>
              </li>
            ))}
          </ScrollList>
        </details>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" disabled={isBusy} onClick={onAccept}>
          Accept
        </Button>
        <Button look="quiet" size="small" disabled={isBusy} onClick={onChange}>
          Change
        </Button>
        <Button look="plain" size="small" disabled={isBusy} onClick={() => setIsAsking(true)}>
          Never suggest again
        </Button>
      </div>
      <Confirm
        title="Never suggest this again?"
        verb="Never suggest it"
        isOpen={isAsking}
        isBusy={isBusy}
        onConfirm={() => {
          setIsAsking(false);
          onDismiss();
        }}
        onClose={() => setIsAsking(false)}
      >
        <p>These commands go on asking. You can still write such a rule in the policy.</p>
      </Confirm>
    </li>
  );
}

function Commands({
  title,
  commands,
  isWarning = false,
}: {
  title: string;
  commands: FoundRules["covers"];
  isWarning?: boolean;
}) {
  return (
    <details open={isWarning}>
      <summary
        className={`cursor-pointer text-sm pointer-coarse:py-2.5 ${isWarning ? "text-attention" : "text-muted"}`}
      >
        {isWarning && <TriangleAlert aria-hidden className="mr-1 inline size-4" />}
        {title}
      </summary>
      <ScrollList label={title} className="mt-1 max-h-48 rounded-lg border border-line bg-sunken p-2">
        {commands.map(({ text, count }) => (
          <li key={text} className="flex gap-3 text-xs">
            <code className="min-w-0 flex-1 font-mono break-all">{text.split("\n").map(visibleText).join(" ⏎ ")}</code>
            {count > 1 && <span className="shrink-0 text-muted tabular-nums">×{count}</span>}
          </li>
        ))}
      </ScrollList>
    </details>
  );
}

function countOf(commands: FoundRules["covers"]): string {
  return commands.length === 1 ? "1 command" : `${commands.length} commands`;
}
