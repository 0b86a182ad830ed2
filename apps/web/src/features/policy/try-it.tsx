"use client";

import type { Isolation } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { levelLabel } from "@/features/approvals/card/level-label.ts";
import { CommandText } from "@/features/approvals/reading/command-text.tsx";
import { LARGE_INPUT, useTRPC } from "@/trpc/client.ts";
import { Badge } from "@/ui/badge.tsx";
import { Choices } from "@/ui/controls/choices.tsx";
import { Select } from "@/ui/controls/select.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { KeepExample } from "./keep-example.tsx";
import { Layers } from "./layers.tsx";
import { useDebounced } from "./use-debounced.ts";

type Surface = "execute" | "spawn" | "input";
type Wall = "profile" | Isolation;

const WALLS = [
  { value: "profile", label: "as its profile says" },
  { value: "none", label: "none" },
  { value: "sandbox", label: "sandbox" },
  { value: "container", label: "container" },
] as const;

const SURFACES = [
  { value: "execute", label: "Run" },
  { value: "spawn", label: "In the background" },
  { value: "input", label: "Typed" },
] as const;

const WORDS = { allow: "Runs", ask: "Asks a person", deny: "Doesn’t run" } as const;
const TONES = { allow: "accent", ask: "attention", deny: "danger" } as const;

/** The draft's verdict on a command, updated while either is edited. */
export function TryIt({
  draft,
  isDraft,
  profiles,
  defaultProfile,
  onDraft,
}: {
  draft: string;
  /** Whether it differs from the active policy, and this person may try it. */
  isDraft: boolean;
  profiles: readonly string[];
  defaultProfile: string;
  /** Null if this person may not change the draft. */
  onDraft: ((text: string) => void) | null;
}) {
  const trpc = useTRPC();
  // A link from another page passes the command that needs a rule.
  const wanted = useSearchParams().get("try") ?? "";
  const [command, setCommand] = useState(wanted);
  const [profile, setProfile] = useState<string | null>(null);
  const [surface, setSurface] = useState<Surface>("execute");
  const [wall, setWall] = useState<Wall>("profile");
  const tried = useDebounced(command, 200);
  const text = useDebounced(draft, 400);
  const input = {
    command: tried,
    profile: profile ?? defaultProfile,
    surface,
    isolation: wall === "profile" ? undefined : wall,
  };
  const isEmpty = tried.trim() === "";
  const options = { placeholderData: <Data,>(before: Data) => before, retry: false, staleTime: 60_000 };
  const inForce = useQuery(trpc.policy.check.queryOptions(input, { ...options, enabled: !isEmpty && !isDraft }));
  const byDraft = useQuery(
    trpc.policy.tryDraft.queryOptions(
      { ...input, text },
      { ...options, enabled: !isEmpty && isDraft, trpc: LARGE_INPUT },
    ),
  );
  const { data: verdict, error } = isDraft ? byDraft : inForce;
  return (
    <section aria-label="Try it" className="grid content-start gap-4 p-4 sm:p-5">
      <div>
        <h2 className="font-semibold tracking-tight">Try it</h2>
        <p className="text-sm text-muted">
          {isDraft ? "The verdict of your draft. Nothing runs." : "The verdict of the policy in force. Nothing runs."}
        </p>
      </div>
      <label className="block">
        <span className="mb-1.5 block text-xs font-medium text-muted">A command</span>
        <textarea
          value={command}
          onChange={(event) => setCommand(event.target.value)}
          rows={Math.min(6, command.split("\n").length + 1)}
          placeholder="git push --force origin main"
          spellCheck={false}
          autoCapitalize="off"
          className="block w-full rounded-md border border-edge bg-surface p-2.5 font-mono text-base leading-6 sm:text-sm"
        />
      </label>
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label="Profile"
          className="w-40"
          value={profile ?? defaultProfile}
          onChange={(event) => setProfile(event.target.value)}
        >
          {profiles.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <Select
          label="Isolation"
          className="w-40"
          value={wall}
          onChange={(event) => setWall(event.target.value as Wall)}
        >
          {WALLS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <Choices legend="Where it goes" choices={SURFACES} value={surface} onChange={setSurface} />
      </div>
      <ErrorMessage className="whitespace-pre-wrap">{error?.message}</ErrorMessage>
      {isEmpty && <p className="text-sm text-muted">Type a command to see the verdict, and why.</p>}
      {!isEmpty && !error && !verdict && <p className="text-sm text-muted">Judging …</p>}
      {!isEmpty && !error && verdict && (
        <div className="grid gap-4">
          <div role="status" className="flex items-center gap-2">
            <Badge tone={TONES[verdict.decision]}>{WORDS[verdict.decision]}</Badge>
            <span className="text-sm text-muted">{levelLabel(verdict.level)}</span>
          </div>
          <div className="rounded-lg border border-line bg-sunken p-3">
            <CommandText text={tried} spans={verdict.matches.map(({ span }) => span)} className="text-sm leading-6" />
          </div>
          <Layers verdict={verdict} />
          {verdict.rewrite && (
            <p className="text-sm">
              <span className="text-muted">Instead: </span>
              <code className="font-mono text-xs break-all">{verdict.rewrite.command}</code>
            </p>
          )}
          {onDraft && (
            <KeepExample
              command={tried}
              draft={draft}
              fired={verdict.matches.map(({ rule }) => rule)}
              onDraft={onDraft}
            />
          )}
        </div>
      )}
    </section>
  );
}
