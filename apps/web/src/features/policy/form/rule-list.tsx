"use client";

import { Plus, Trash2 } from "lucide-react";
import { Badge, type Tone } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { IconButton } from "@/ui/icon-button.tsx";
import type { JsonSchema } from "../schema.ts";
import { SettingGroup, setIn } from "./setting-field.tsx";

type Entry = Record<string, unknown>;
const TONES: Record<string, Tone> = { allow: "accent", ask: "attention", deny: "danger" };

/** The team's own rules. Each opens to all that it can say. */
export function RuleList({
  schema,
  rules,
  isReadOnly,
  onChange,
}: {
  schema: JsonSchema;
  rules: readonly Entry[];
  isReadOnly: boolean;
  onChange(rules: Entry[] | undefined): void;
}) {
  const set = (next: Entry[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <div className="grid gap-2 py-3">
      {rules.length === 0 && <p className="text-sm text-muted">No rules of your own yet.</p>}
      {rules.map((rule, index) => (
        <details
          // Rules have no identity but their place: an id is something that one edits.
          key={index}
          open={rule.id === NEW_ID}
          className="rounded-lg border border-line bg-surface"
        >
          <summary className="flex min-h-10 cursor-pointer items-center gap-2 px-3 text-sm pointer-coarse:min-h-11">
            <Badge tone={TONES[String(rule.decision)] ?? "quiet"}>{String(rule.decision ?? "no decision")}</Badge>
            <span className="font-medium">{String(rule.id ?? "")}</span>
            <code className="min-w-0 flex-1 truncate font-mono text-xs text-muted">{wordsOf(rule)}</code>
          </summary>
          <div className="border-t border-line px-3">
            <SettingGroup
              schema={schema}
              value={rule}
              isReadOnly={isReadOnly}
              onChange={(key, value) =>
                set(rules.map((each, at) => (at === index ? (setIn(each, key, value) ?? {}) : each)))
              }
            />
            {!isReadOnly && (
              <div className="flex justify-end pb-2">
                <IconButton
                  icon={Trash2}
                  name={`Remove the rule ${String(rule.id ?? "")}`}
                  onClick={() => set(rules.filter((_, at) => at !== index))}
                />
              </div>
            )}
          </div>
        </details>
      ))}
      {!isReadOnly && (
        <div>
          <Button
            look="quiet"
            size="small"
            onClick={() => set([...rules, { id: NEW_ID, decision: "ask", program: "some-program" }])}
          >
            <Plus aria-hidden className="size-4" /> Add a rule
          </Button>
        </div>
      )}
    </div>
  );
}

const NEW_ID = "new-rule";

function wordsOf({ program, args, pattern }: Entry): string {
  const words = [[program ?? []].flat().join(" or "), ...[args ?? []].flat()].join(" ").trim();
  return [words, pattern === undefined ? "" : `/${String(pattern)}/`].filter((part) => part !== "").join(" ");
}
