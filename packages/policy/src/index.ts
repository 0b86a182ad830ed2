export type { JudgeContext, OwnThings } from "./context.ts";
export {
  type Assembled,
  type AssemblerState,
  assembleInput,
  emptyLine,
  type TypedEvent,
} from "./input/line-assembler.ts";
export { type Judgement, judge, type Syntax } from "./judge.ts";
export {
  addApprovalPatterns,
  addBlockedPatterns,
  createPolicy,
  defaultPolicy,
  type Policy,
} from "./settings/policy.ts";
export { type Profile, SecuritySettings, type Surface, type TeamRule } from "./settings/schema.ts";
export { type LoadedSecurityFile, loadSecurityFile, type SecurityFileError } from "./settings/security-file.ts";
export { parseCompoundCommand } from "./shell/compound.ts";
export { emptyMemory, type ShellMemory } from "./shell/shell-memory.ts";
