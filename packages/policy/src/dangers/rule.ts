import type { Decision, Layer, SafetyLevel } from "@belay/protocol";
import type { JudgeContext } from "../context.ts";
import type { FileEffect, Invocation } from "../language/commands/invocation.ts";
import { isInside } from "../language/words/paths.ts";
import type { OrdinaryWork } from "../settings/defaults/ordinary-work.ts";
import { classifyPath, type PathKind } from "./paths/danger-paths.ts";

/** A danger as data: its name, its severity, and how to detect it. */
export interface Rule {
  readonly id: string;
  readonly layer: Layer;
  readonly decision: Decision;
  readonly level: SafetyLevel;
  /** One sentence, for a person and for a model. */
  readonly reason: string;
  /** Only applies to invocations that touch files. */
  readonly needsEffects?: true;
  /** Programs it applies to; without them, to every invocation. */
  readonly programs?: readonly string[];
  fires(invocation: Invocation, context: JudgeContext, ordinary: OrdinaryWork): boolean;
}

/** A danger that neither the security file nor a profile can allow. */
export function hardBlock(rule: Pick<Rule, "id" | "reason" | "programs" | "needsEffects" | "fires">): Rule {
  return { layer: "hard-block", decision: "deny", level: "blocked", ...rule };
}

/** A danger that needs approval. `level` says how long people have to answer. */
export function asks(
  rule: Pick<Rule, "id" | "reason" | "programs" | "needsEffects" | "fires"> & { level: "unknown" | "dangerous" },
): Rule {
  return { layer: "approval", decision: "ask", ...rule };
}

/** The kind of a path in this context: inside the workspace every path is ordinary. */
export function kindOf(path: string, context: JudgeContext): PathKind {
  const { kind } = classifyPath(path, context.home);
  if (kind === "root" || kind === "home" || kind === "device") return kind;
  const isOwn = context.workspace !== "/" && path !== context.workspace && isInside(path, context.workspace);
  if (isOwn) return "ordinary";
  // Root's home is inside a system tree, but is still a home.
  if (kind === "critical-file" && isInside(path, context.home) && !/\/\.ssh\//.test(path)) return "ordinary";
  return kind;
}

export function effectKinds(
  invocation: Invocation,
  context: JudgeContext,
  ...types: readonly FileEffect["type"][]
): PathKind[] {
  return invocation.effects
    .filter(({ type }) => types.includes(type))
    .flatMap(({ paths }) => paths.map((path) => kindOf(path, context)));
}

export const hasFlag = (invocation: Invocation, pattern: RegExp): boolean =>
  invocation.args.some(({ text }) => pattern.test(text));
