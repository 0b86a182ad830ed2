import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  addApprovalPatterns,
  addBlockedPatterns,
  defaultPolicy,
  type JudgeContext,
  loadSecurityFile,
  type Policy,
} from "@belay/policy";
import type { CodePatterns, PolicySource } from "./threads/judge-task.ts";

/** The active policy. */
export interface CurrentPolicy {
  policy: Policy;
  /** The same in a form that can be sent to another thread. */
  source: PolicySource;
  /** Changes with every change of the file; approvals are bound to it. */
  version: string;
  /** The text of the file; null if there is none, and the defaults apply. */
  text: string | null;
  /** The base context of every judgement. */
  context: Partial<JudgeContext>;
}

/** The text of `security.json`; null if there is no file, and the defaults apply. */
export async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function load(text: string | null) {
  return text === null ? { ok: true as const, policy: defaultPolicy, notices: [] as string[] } : loadSecurityFile(text);
}

export function versionOf(text: string | null): string {
  return text === null ? "default" : hashOf(text);
}

/** The policy of a file, with the patterns that an embedding program adds in code on top. */
export function currentPolicy(
  policy: Policy,
  text: string | null,
  { inCode, context }: { inCode: CodePatterns; context: Partial<JudgeContext> },
): CurrentPolicy {
  const { blocked, approval } = inCode;
  const suffix = blocked.length + approval.length === 0 ? "" : `+${hashOf(`${blocked} ${approval}`)}`;
  const version = versionOf(text) + suffix;
  return {
    policy: addApprovalPatterns(addBlockedPatterns(policy, blocked), approval),
    source: { key: version, settings: policy.settings, blocked, approval },
    text,
    version,
    context,
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
