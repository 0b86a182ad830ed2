export { pathFromText } from "./changes/entry.ts";
export type {
  ChangeList,
  ChangeRange,
  HistoryStatus,
  ListedChange,
  Marked,
  Moment,
  PlannedStep,
  UndoPlan,
  UndoRequest,
  UndoResult,
  WorkspaceOptions,
} from "./changes/history-service.ts";
export { type Histories, HistoryThread } from "./changes/history-thread.ts";
export type { ChangeCounts, ChangeKind, Hunk } from "./changes/line-diff.ts";
export { type CallToShow, displayCall, displayCommand } from "./display/display-call.ts";
export { displayResult, type ResultToShow } from "./display/display-result.ts";
export { CoreError, type CoreErrorCode } from "./errors.ts";
export { isStillInFolder } from "./evidence/still-in-folder.ts";
export { openRemoteHost } from "./host/connect/client.ts";
export type { OpenedSocket } from "./host/connect/connection.ts";
export { EXIT_ALREADY_RUNNING, launchHost, READY_LINE } from "./host/connect/launch.ts";
export { cleanUpAfterLostHost, createLocalHost, recordingsDirOf, wallsDirOf } from "./host/local-host.ts";
export { findFolder } from "./host/machine-facts.ts";
export type { GatewayClock } from "./host/machines/gateway-clock.ts";
export { GatewayHandshake, type ProvedMachine } from "./host/machines/gateway-handshake.ts";
export type { MachineFacts, Verdict as JoinVerdict } from "./host/machines/handshake-messages.ts";
export { newJoinToken, parseJoinToken } from "./host/machines/join-token.ts";
export { keyOfPem, keyOfSeed, newKeyPem, newSeed, type SigningKey } from "./host/machines/keys.ts";
export { MachineHandshake, type ProvedGateway } from "./host/machines/machine-handshake.ts";
export { awaitMachine, type MachineHost } from "./host/machines/machine-host.ts";
export { createSeal, createUnseal } from "./host/machines/seal.ts";
export { type JoinOptions, type RunHostOptions, runHost } from "./host/serve/run-host.ts";
export type { ProvedClient } from "./host/serve/server.ts";
export type { TerminalHost } from "./host/terminal-host.ts";
export { hostEndpoint, openSocketPath, prepareHostFolder } from "./host/wire/endpoint.ts";
export { listenPrivately } from "./host/wire/listen-privately.ts";
export { commonVersion, PROTOCOL } from "./host/wire/messages.ts";
export { withLimits } from "./limits/launch-limits.ts";
export { type LimitAbility, limitAbilities } from "./limits/limit-abilities.ts";
export { type HeldLimits, ResourceLimiter } from "./limits/resource-limiter.ts";
export { findNamedFiles, readNamedFile } from "./named-files/named-files.ts";
export { startThread } from "./own-programs.ts";
export type { UnfinishedCommands } from "./pool/calls.ts";
export { createLocalPool, type LocalPoolOptions, type PoolLimits } from "./pool/local-pool.ts";
export { accountStartEnv, behindWall } from "./pool/prepare-spawn.ts";
export type {
  AskedConnection,
  KeyboardReader,
  KillReport,
  ListeningPort,
  OutputSlice,
  ReadRequest,
  RunRequest,
  ScreenSnapshot,
  ShellState,
  SnapshotRequest,
  SpawnQuota,
  SpawnRequest,
  TaskLimits,
  TerminalLimits,
  TypeReport,
  TypeRequest,
  WaitStrategy,
} from "./pool/requests.ts";
export { shellRequest } from "./pool/shell-request.ts";
export type { OutputConsumer, OutputSubscription, PoolEvent, TerminalPool } from "./pool/terminal-pool.ts";
export { type PreviewAbility, previewAbility } from "./preview/ability.ts";
export { resumeApplies } from "./preview/apply-preview.ts";
export { KeptPreview, type PreviewedChange, type PreviewedChanges } from "./preview/kept-preview.ts";
export type { PreviewRequest } from "./preview/preview.ts";
export type { PreviewFindings } from "./preview/preview-service.ts";
export { PreviewThread } from "./preview/preview-thread.ts";
export { type ProcessStat, readProcFile, readStat } from "./processes/proc.ts";
export { readSurroundings, type Surroundings } from "./processes/surroundings.ts";
export { carriedEnv } from "./pty/carried-env.ts";
export { type Provider, ProviderRegistry } from "./pty/providers.ts";
export type { OpenPty, Pty, PtyEvents, PtyOptions } from "./pty/pty.ts";
export { exportAsciicast, exportRaw } from "./recording/export/asciicast.ts";
export { exportText } from "./recording/export/export-text.ts";
export { type EndEntry, RecordingHeader, RecordingMark, recordingPaths } from "./recording/format.ts";
export {
  deleteRecording,
  findOldRecordings,
  findRecordingsBeyond,
  recordingFiles,
} from "./recording/old-recordings.ts";
export { openRecording, type RecordingEvent, RecordingReader, readRecorded, type SeekTo } from "./recording/reader.ts";
export { openRecorder, type Recorder, type RecorderOptions } from "./recording/recorder.ts";
export { type RecordingTapOptions, recordingTap } from "./recording/recording-tap.ts";
export { listRecordings, type RecordingCheck, recoverRecording, verifyRecording } from "./recording/recover.ts";
export { type RedactionOutcome, redactRecording } from "./recording/redact-recording.ts";
export { type RecordingSegment, readSegment } from "./recording/replay/segment.ts";
export { RecordingThread } from "./recording/search/recording-thread.ts";
export type { RecordingSearch, SearchProgress } from "./recording/search/search-recordings.ts";
export { combineTaps, screenTap } from "./render/screen/screen-tap.ts";
export { SCREENS_DEFAULTS, Screens, type ScreensOptions } from "./render/screen/screens.ts";
export { OverflowFiles } from "./render/text/overflow-files.ts";
export { summariseToFile } from "./render/text/overflow-summary.ts";
export { type LineRange, readLineRange, type SearchMatches, searchLines } from "./render/text/read-lines.ts";
export {
  DEFAULT_SUMMARY_LIMITS,
  formatBytes,
  omissionNotice,
  SESSIONS_SUMMARY_LIMITS,
  type Summary,
  type SummaryLimits,
  summarise,
} from "./render/text/summary.ts";
export {
  RENDER_DEFAULTS,
  type RenderedText,
  type RenderOptions,
  TextRenderer,
  type TextRendererOptions,
} from "./render/text/text-renderer.ts";
export { RUN_ONCE_DEFAULTS, type RunOnceRequest, type RunOnceResult, runOnce } from "./run-once/run-once.ts";
export { type RunScriptRequest, runScript, runSync } from "./run-once/run-script.ts";
export { redactJson, redactSecrets } from "./secrets/redact-secrets.ts";
export { isSameSecret } from "./secrets/same-secret.ts";
export { isQuickCommand, isSlowCommand, QUICK_COMMANDS, SLOW_COMMANDS } from "./shell/command-pace.ts";
export { defaultShellPath, findShell, shellKindOf } from "./shell/shells.ts";
export { shortHash } from "./short-hash.ts";
export type { OpenTap, TerminalTap } from "./terminal/tap.ts";
export { type InstalledTrash, installTrash, projectTrashDir } from "./trash/install-trash.ts";
export {
  type EmptyRequest,
  emptyTrash,
  listTrash,
  measureTrash,
  type RestoreOutcome,
  restoreFromTrash,
} from "./trash/trash.ts";
export type { TrashItem } from "./trash/trash-entry.ts";
export { Account, accountAbility, asAccountWithEnv, findAccount } from "./walls/account.ts";
export { Bubblewrap } from "./walls/bubblewrap.ts";
export { Containers } from "./walls/container.ts";
export { containerAbility } from "./walls/engine/container-ability.ts";
export { GitConfigs, type RestoredConfig } from "./walls/git-config/git-configs.ts";
export { type Ability, sandboxAbility } from "./walls/machine.ts";
export { AgentNetworks } from "./walls/network/agent-networks.ts";
export { isListed as isHostListed } from "./walls/network/hosts.ts";
export { Wall } from "./walls/wall.ts";
export { namesInWallHome, planToWall, type WallPlan } from "./walls/wall-plan.ts";
