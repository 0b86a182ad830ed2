"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useTRPC } from "@/trpc/client.ts";

/** A change of the policy that is not saved yet, and the version that it was made from. */
interface Draft {
  text: string;
  basedOn: string;
  /** The text of that version, to tell what each side changed since. */
  baseText?: string;
}

const KEY = "belay-policy-draft";
const listeners = new Set<() => void>();

/** The draft outlives the page: another page, an outage or a reload does not lose it. It ends with the tab. */
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
    return null; // what somebody wrote there by hand is not worth an error
  }
}

/** The policy in force, and what this person is about to make of it. */
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
    /** Somebody else saved meanwhile. */
    isOutdated: draft !== null && policy.data !== undefined && draft.basedOn !== version && draft.text !== inForce,
    setText: (next: string) =>
      writeDraft(
        next === inForce ? null : { text: next, basedOn: draft?.basedOn ?? version, ...baseOf(draft, inForce) },
      ),
    /** After a merge: the same work, on top of what is in force now. */
    rebase: (next: string) => writeDraft(next === inForce ? null : { text: next, basedOn: version, baseText: inForce }),
    discard: () => writeDraft(null),
  };
}

function baseOf(draft: Draft | null, inForce: string): Pick<Draft, "baseText"> {
  if (draft === null) return { baseText: inForce };
  return draft.baseText === undefined ? {} : { baseText: draft.baseText };
}

export type PolicyDraft = ReturnType<typeof usePolicyDraft>;
