"use client";

import { useState } from "react";
import { Button } from "@/ui/controls/button.tsx";
import { Select } from "@/ui/controls/select.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { changeValue, readValues } from "./draft-text.ts";

interface Rule {
  id?: string;
  match?: string[];
  notMatch?: string[];
}

/** Keeps a tried command as an example of a rule, which is checked whenever the file is read. */
export function KeepExample({
  command,
  draft,
  fired,
  onDraft,
}: {
  command: string;
  draft: string;
  /** The rules that fired on it. */
  fired: readonly string[];
  onDraft(text: string): void;
}) {
  const rules = (readValues(draft)?.rules ?? []) as Rule[];
  const [chosen, setChosen] = useState<string | null>(null);
  if (!Array.isArray(rules) || rules.length === 0) return null;
  const ids = rules.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  const selected = chosen ?? ids.find((id) => fired.includes(id)) ?? ids[0] ?? "";
  const index = rules.findIndex(({ id }) => id === selected);
  const isFired = fired.includes(selected);
  const list = isFired ? "match" : "notMatch";
  const examples = rules[index]?.[list] ?? [];
  const isKept = examples.includes(command);
  return (
    <div className="flex flex-wrap items-end gap-2 border-t border-line pt-4">
      <Select
        label="Keep it as an example of"
        className="min-w-40 flex-1"
        value={selected}
        onChange={(event) => setChosen(event.target.value)}
      >
        {ids.map((id) => (
          <option key={id}>{id}</option>
        ))}
      </Select>
      <Button
        look="quiet"
        size="small"
        disabled={index < 0 || isKept}
        onClick={() => {
          onDraft(changeValue(draft, ["rules", index, list], [...examples, command]));
          toast(isFired ? "Kept: the rule must fire on it." : "Kept: the rule must not fire on it.");
        }}
      >
        {isKept ? "Kept" : isFired ? "Must fire on it" : "Must not fire on it"}
      </Button>
    </div>
  );
}
