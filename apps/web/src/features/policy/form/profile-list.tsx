"use client";

import { useState } from "react";
import { Button } from "@/ui/controls/button.tsx";
import type { JsonSchema } from "../schema.ts";
import { SettingGroup } from "./setting-field.tsx";

type Entry = Record<string, unknown>;

/** Profiles by name: built-in ones as far as the file changes them, and the team's own. */
export function ProfileList({
  schema,
  profiles,
  inForce,
  isReadOnly,
  onChange,
}: {
  schema: JsonSchema;
  profiles: Record<string, Entry>;
  /** The active ones by name, as a starting point for a new text. */
  inForce: Readonly<Record<string, Entry>>;
  isReadOnly: boolean;
  /** The path within the profiles, and the value; undefined removes it. */
  onChange(path: readonly string[], value: unknown): void;
}) {
  const [name, setName] = useState("");
  const names = [...new Set([...Object.keys(inForce), ...Object.keys(profiles)])];
  return (
    <div className="grid gap-2 py-3">
      {names.map((each) => (
        <details key={each} className="rounded-lg border border-line bg-surface">
          <summary className="flex min-h-10 cursor-pointer items-center gap-2 px-3 text-sm pointer-coarse:min-h-11">
            <span className="font-medium">{each}</span>
            <span className="text-xs text-muted">{profiles[each] ? "in this file" : "built in"}</span>
          </summary>
          <div className="border-t border-line px-3">
            {profiles[each] ? (
              <>
                <SettingGroup
                  schema={schema}
                  value={profiles[each]}
                  isReadOnly={isReadOnly}
                  onChange={(path, value) => onChange([each, ...path], value)}
                />
                {!isReadOnly && (
                  <Button look="plain" size="small" className="mb-2" onClick={() => onChange([each], undefined)}>
                    Remove it from the file
                  </Button>
                )}
              </>
            ) : (
              <p className="flex flex-wrap items-center gap-3 py-3 text-sm text-muted">
                The file does not change it.
                {!isReadOnly && (
                  <Button look="quiet" size="small" onClick={() => onChange([each], { ...inForce[each] })}>
                    Change it
                  </Button>
                )}
              </p>
            )}
          </div>
        </details>
      ))}
      {!isReadOnly && (
        <form
          className="flex flex-wrap gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() === "" || names.includes(name.trim())) return;
            onChange([name.trim()], { description: "", safe: "allow", unknown: "ask", dangerous: "ask" });
            setName("");
          }}
        >
          <input
            aria-label="Name of a new profile"
            placeholder="Name of a new profile"
            value={name}
            onChange={(event) => setName(event.target.value)}
            className="h-8 w-48 rounded-md border border-edge bg-surface px-2.5 text-base sm:text-sm pointer-coarse:h-11"
          />
          <Button type="submit" look="quiet" size="small">
            Add it
          </Button>
        </form>
      )}
    </div>
  );
}
