import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { z } from "zod";
import { locate, nodeAt, positionOf } from "./locate.ts";
import { createPolicy, type Policy } from "./policy.ts";
import { findProblems, type Problem } from "./problems.ts";
import { withoutRetiredKeys } from "./retired-keys.ts";
import { SecuritySettings } from "./schema.ts";

/** An error in the file that must be fixed before it is used. Lines and columns count from 1. */
export interface SecurityFileError {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly fix: string;
}

export type LoadedSecurityFile =
  | {
      readonly ok: true;
      readonly policy: Policy;
      /** Notices: nothing is wrong, but people should know. */
      readonly notices: readonly string[];
    }
  | { readonly ok: false; readonly errors: readonly SecurityFileError[] };

/**
 * Reads the text of a `security.json`.
 *
 * 1. JSON with comments and trailing commas; a syntax error stops here.
 * 2. Keys that earlier versions accepted without effect: dropped at their old default, refused otherwise.
 * 3. The strict schema: an unknown key is an error that names the key.
 * 4. What the schema cannot check: patterns that RE2 cannot run, examples that fail, asks without approvers.
 */
export function loadSecurityFile(text: string): LoadedSecurityFile {
  const syntaxErrors: ParseError[] = [];
  const root = parseTree(text, syntaxErrors, { allowTrailingComma: true, allowEmptyContent: false });
  if (root === undefined || syntaxErrors.length > 0) {
    return { ok: false, errors: syntaxErrors.map((error) => describeSyntax(text, error)) };
  }

  const { content, notices, problems: retired } = withoutRetiredKeys(getNodeValue(root));
  if (retired.length > 0) return { ok: false, errors: retired.map((problem) => describeProblem(text, root, problem)) };

  const parsed = SecuritySettings.safeParse(content);
  if (!parsed.success) {
    return { ok: false, errors: parsed.error.issues.flatMap((issue) => describeIssue(text, root, issue)) };
  }

  const problems = findProblems(parsed.data, createPolicy);
  if (problems.length > 0) {
    return { ok: false, errors: problems.map((problem) => describeProblem(text, root, problem)) };
  }
  return { ok: true, policy: createPolicy(parsed.data), notices };
}

function describeProblem(text: string, root: Node, { path, message, fix }: Problem): SecurityFileError {
  return { ...locate(text, root, path), message, fix };
}

function describeSyntax(text: string, error: ParseError): SecurityFileError {
  return {
    path: "",
    ...positionOf(text, error.offset),
    message: `Not JSON: ${printParseErrorCode(error.error)}.`,
    fix: "Fix the JSON here. Comments and trailing commas are allowed.",
  };
}

function describeIssue(text: string, root: Node, issue: z.core.$ZodIssue): SecurityFileError[] {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      ...locate(text, root, [...path, key]),
      message: `Unknown key "${key}".`,
      fix: nearestKey(key, SETTING_NAMES) ?? "Remove it, or check its spelling and its place.",
    }));
  }
  const found = nodeAt(root, path);
  return [
    {
      ...locate(text, root, path),
      message: issue.message,
      fix: found ? "Change this value." : "Add this value.",
    },
  ];
}

const SETTING_NAMES = Object.keys(SecuritySettings.shape);

function nearestKey(key: string, known: readonly string[]): string | null {
  const wanted = key.toLowerCase();
  const near = known.find((name) => {
    const candidate = name.toLowerCase();
    return candidate.startsWith(wanted) || wanted.startsWith(candidate) || sharedLetters(candidate, wanted) > 0.8;
  });
  return near === undefined ? null : `Did you mean "${near}"?`;
}

function sharedLetters(a: string, b: string): number {
  const rest = [...b];
  let shared = 0;
  for (const letter of a) {
    const at = rest.indexOf(letter);
    if (at >= 0) {
      rest.splice(at, 1);
      shared += 1;
    }
  }
  return shared / Math.max(a.length, b.length);
}
