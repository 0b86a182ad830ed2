import { loadSecurityFile, type Policy, type SecurityFileError } from "@belay/policy";
import { GatewayError } from "../errors.ts";

/** Parses a policy draft, or throws an error that names every line to fix. */
export function loadDraft(text: string): Policy {
  const loaded = loadSecurityFile(text);
  if (loaded.ok) return loaded.policy;
  throw new GatewayError(
    "policy-broken",
    `This policy cannot be used:\n${describeProblems("security.json", loaded.errors).join("\n")}`,
  );
}

export function describeProblems(file: string, errors: readonly SecurityFileError[]): string[] {
  return errors.map(({ line, column, message, fix }) => `${file}:${line}:${column}: ${message} ${fix}`);
}
