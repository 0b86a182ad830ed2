import { z } from "zod";

export const Decision = z.enum(["allow", "ask", "deny"]);
export type Decision = z.infer<typeof Decision>;

export const SafetyLevel = z.enum(["safe", "unknown", "dangerous", "blocked"]);
export type SafetyLevel = z.infer<typeof SafetyLevel>;

/** The layer that made a decision, in the order in which layers are checked. */
export const Layer = z.enum(["profile", "hard-block", "security-file", "approval", "level", "wall"]);
export type Layer = z.infer<typeof Layer>;

/** Half-open range of UTF-16 code units in the text that was judged. */
export const Span = z.object({ start: z.int(), end: z.int() });
export type Span = z.infer<typeof Span>;

export const RuleMatch = z.object({
  rule: z.string(),
  layer: Layer,
  decision: Decision,
  /** One sentence, for a person and for a model. */
  reason: z.string(),
  /** Null if the rule fired on something outside the text: an environment variable, standard input. */
  span: Span.nullable(),
});
export type RuleMatch = z.infer<typeof RuleMatch>;

export const Rewrite = z.object({ command: z.string(), reason: z.string() });
export type Rewrite = z.infer<typeof Rewrite>;

export const Verdict = z.object({
  decision: Decision,
  level: SafetyLevel,
  layer: Layer,
  /** Strictest first; the first one is the reason for the decision. */
  matches: z.array(RuleMatch),
  rewrite: Rewrite.nullable(),
  /** The programs that will run, each as plain text. Wrappers, functions, aliases and variables are resolved. */
  runs: z.array(z.string()),
});
export type Verdict = z.infer<typeof Verdict>;
