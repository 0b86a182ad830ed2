"use client";

import { Plus, Trash2 } from "lucide-react";
import { Badge, type Tone } from "@/ui/badge.tsx";
import { Button } from "@/ui/controls/button.tsx";
import { IconButton } from "@/ui/controls/icon-button.tsx";
import type { JsonSchema } from "../schema.ts";
import { SettingGroup } from "./setting-field.tsx";

type Entry = Record<string, unknown>;
const TONES: Record<string, Tone> = { allow: "accent", ask: "attention", deny: "danger" };

/** The team's own rules. Each unfolds to all of its fields. */
export function RuleList({
  schema,
  rules,
  isReadOnly,
  onChange,
}: {
  schema: JsonSchema;
  rules: readonly Entry[];
  isReadOnly: boolean;
  /** The path within the list, and the value; undefined removes it. The others stay as they were written. */
  onChange(path: readonly (string | number)[], value: unknown): void;
}) {
  return (
    <div className="grid gap-2 py-3">
      {rules.length === 0 && <p className="text-sm text-muted">No rules of your own yet.</p>}
      {rules.map((rule, index) => (
        <details
          // Keyed by position, because a rule's id can be edited.
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
              onChange={(path, value) => onChange([index, ...path], value)}
            />
            {!isReadOnly && (
              <div className="flex justify-end pb-2">
                <IconButton
                  icon={Trash2}
                  name={`Remove the rule ${String(rule.id ?? "")}`}
                  onClick={() => (rules.length === 1 ? onChange([], undefined) : onChange([index], undefined))}
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
            onClick={() => (rules.length === 0 ? onChange([], [NEW_RULE]) : onChange([rules.length], NEW_RULE))}
          >
            <Plus aria-hidden className="size-4" /> Add a rule
          </Button>
        </div>
      )}
    </div>
  );
}

const NEW_ID = "new-rule";
const NEW_RULE = { id: NEW_ID, decision: "ask", program: "some-program" };

function wordsOf({ program, args, pattern }: Entry): string {
  const words = [[program ?? []].flat().join(" or "), ...[args ?? []].flat()].join(" ").trim();
  return [words, pattern === undefined ? "" : `/${String(pattern)}/`].filter((part) => part !== "").join(" ");
}
