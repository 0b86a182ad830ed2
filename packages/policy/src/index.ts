export { CONNECT, freshWall, type WallContext, type WallOpenings } from "./behind-wall/openings.ts";
export type { JudgeContext, OwnResources } from "./context.ts";
export { isSecretPath } from "./dangers/paths/secret-paths.ts";
export { type Explanation, explain } from "./explain.ts";
export { judgeTyped, type TypedJudgement } from "./input/judge-typed.ts";
export {
  type Assembled,
  type AssemblerState,
  assembleInput,
  emptyLine,
  type TypedEvent,
} from "./input/line-assembler.ts";
export { type InputReader, inputReaderOf, strictestReader } from "./input/reader.ts";
export { type Judgement, judge, type Syntax } from "./judge.ts";
export { parseCompoundCommand } from "./language/commands/compound.ts";
export { emptyMemory, forgetValues, type ShellMemory } from "./language/state/memory.ts";
export { type FileMemory, mergeFileMemory } from "./language/state/written-files.ts";
export { knownMisuses, type Misuse } from "./misuse.ts";
export { safetyLevel } from "./safety-level.ts";
export { addRulesToText } from "./settings/add-rules.ts";
export { AgentToolSettings, withAgentSettings } from "./settings/agent-tool-settings.ts";
export { securityFileSchema } from "./settings/json-schema.ts";
export {
  addApprovalPatterns,
  addBlockedPatterns,
  createPolicy,
  defaultPolicy,
  type Policy,
} from "./settings/policy.ts";
export { type Profile, SecuritySettings, Surface, TeamRule } from "./settings/schema.ts";
export { type LoadedSecurityFile, loadSecurityFile, type SecurityFileError } from "./settings/security-file.ts";
export { hostsOf, openingsOf } from "./settings/walls/behind-walls.ts";
export { type FrozenPaths, frozenBehindWall } from "./settings/walls/frozen-paths.ts";
export { type RuleSuggestion, suggestRule } from "./suggest-rule.ts";
