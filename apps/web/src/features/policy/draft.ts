"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useTRPC } from "@/trpc/client.ts";

/** An unsaved change of the policy, and the version that it is based on. */
interface Draft {
  text: string;
  basedOn: string;
  /** The text of that version, to tell what each side changed since. */
  baseText?: string;
}

const KEY = "belay-policy-draft";
const listeners = new Set<() => void>();

/** Stored, so that changing the page, an outage or a reload does not lose the draft. It ends with the tab. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function writeDraft(draft: Draft | null): void {
  if (draft === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(draft));
  for (const listener of listeners) listener();
}

function readDraft(stored: string | null): Draft | null {
  try {
    return stored === null ? null : (JSON.parse(stored) as Draft);
  } catch {
    return null; // edited by hand: ignore it
  }
}

/** The active policy, and this person's draft of it. */
export function usePolicyDraft() {
  const policy = useQuery(useTRPC().policy.get.queryOptions());
  const stored = useSyncExternalStore(
    subscribe,
    () => sessionStorage.getItem(KEY),
    () => null,
  );
  const draft = useMemo(() => readDraft(stored), [stored]);
  const inForce = policy.data?.text ?? "{}\n";
  const version = policy.data?.version ?? "";
  const text = draft?.text ?? inForce;
  return {
    policy,
    inForce,
    version,
    text,
    isChanged: draft !== null && draft.text !== inForce,
    basedOn: draft?.basedOn ?? version,
    /** The text that the draft was made from; null if it is not known. */
    baseText: draft?.baseText ?? null,
    /** Another person saved a newer version. */
    isOutdated: draft !== null && policy.data !== undefined && draft.basedOn !== version && draft.text !== inForce,
    setText: (next: string) =>
      writeDraft(
        next === inForce ? null : { text: next, basedOn: draft?.basedOn ?? version, ...baseOf(draft, inForce) },
      ),
    /** After a merge: the same draft, based on the active version. */
    rebase: (next: string) => writeDraft(next === inForce ? null : { text: next, basedOn: version, baseText: inForce }),
    discard: () => writeDraft(null),
  };
}

function baseOf(draft: Draft | null, inForce: string): Pick<Draft, "baseText"> {
  if (draft === null) return { baseText: inForce };
  return draft.baseText === undefined ? {} : { baseText: draft.baseText };
}

export type PolicyDraft = ReturnType<typeof usePolicyDraft>;
