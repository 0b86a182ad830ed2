export { Approval, ApprovalScope, ApprovalState, ApprovalSubject, NamedFile } from "./approval.ts";
export { Actor, AuditEvent, AuditEventType } from "./audit-event.ts";
export { HOOK_CLIENT_NAMES } from "./client-names.ts";
export { HOOK_TIMEOUT_S } from "./client-setup/hooks.ts";
export { CLIENT_SETUPS } from "./client-setup/setups.ts";
export {
  type ConnectSnippet,
  connectArguments,
  ownShellSnippet,
  SNIPPET_CLIENTS,
  type SnippetClient,
  snippetsFor,
} from "./client-setup/snippet.ts";
export { tomlTable } from "./client-setup/text.ts";
export type { ClientSetup, McpServer, SetupEntry, SetupScope } from "./client-setup/types.ts";
export { CommandReport, CommandState, Evidence } from "./command.ts";
export { type CharacterProblem, characterProblem, hiddenCharacters, showHidden } from "./hidden-characters.ts";
export { ClientConversation, HookClient } from "./hook-client.ts";
export { AgentId, ApprovalId, CommandId, formatId, ID_RANDOM_BYTES, TerminalId } from "./ids.ts";
export { Isolation, IsolationChoice, NetworkMode, TerminalWall, type WallKind, WallOpens } from "./isolation.ts";
export { MachineLoad, MachineName, MachineState } from "./machine.ts";
export { ReachedLimit, ResourceLimits } from "./resource-limits.ts";
export { chainOf, formatRow, placeOfRow, ROWS_PER_CHAIN } from "./row-number.ts";
export { quoteWord, quoteWordIfNeeded } from "./shell-words.ts";
export { CloseReason, TerminalActivity, TerminalInfo, TerminalOwner, TerminalState } from "./terminal.ts";
export { Decision, Layer, Rewrite, RuleMatch, SafetyLevel, Span, Verdict } from "./verdict.ts";
export {
  type ClientBinaryFrame,
  decodeClientFrame,
  decodeServerFrame,
  encodeClientFrame,
  encodeServerFrame,
  FRAME_TYPES,
  FrameError,
  MAX_CLIENT_MESSAGE_BYTES,
  MAX_OUTPUT_PAYLOAD_BYTES,
  OUTPUT_FRAME_HEADER_BYTES,
  type ServerBinaryFrame,
  SUBPROTOCOL,
  VIEWER_WINDOW_BYTES,
  writeOutputFrame,
} from "./wire/binary-frames.ts";
export { CLOSE_CODES, type CloseCode } from "./wire/close-codes.ts";
export { ClientControlFrame, Pen, ServerControlFrame, StreamErrorCode } from "./wire/control-frames.ts";
export { ClientJsonFrame, ServerJsonFrame, TerminalEvent, TerminalSummary } from "./wire/json-frames.ts";
