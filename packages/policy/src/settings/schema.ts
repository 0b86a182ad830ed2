import { Decision, IsolationChoice } from "@belay/protocol";
import { z } from "zod";
import {
  DEFAULT_BLOCKED_COMMANDS,
  DEFAULT_SAFE_COMMANDS,
  DEFAULT_SPAWN_BLOCKED_COMMANDS,
} from "./defaults/default-commands.ts";
import { DEFAULT_PROJECT_FOLDERS, DEFAULT_PROTECTED_PATHS } from "./defaults/default-paths.ts";
import { OrdinaryWork } from "./defaults/ordinary-work.ts";
import { ToolDefaults } from "./defaults/tool-defaults.ts";
import { TerminalLimits } from "./terminal-limits.ts";
import { ContainerSettings, NetworkSettings, SandboxSettings } from "./walls/behind-walls.ts";

/** Who may answer an approval. */
export const ApproverRole = z.enum(["operator", "admin"]);
export const Surface = z.enum(["execute", "spawn", "input"]);
export type Surface = z.infer<typeof Surface>;

const Milliseconds = z.int().min(0);
const Strings = z.array(z.string().min(1));
const withDefaults = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).prefault({} as never);

/** What a profile does at each level. `blocked` is missing on purpose: no profile can allow what is blocked. */
export const Profile = z.strictObject({
  description: z.string().default(""),
  safe: Decision.default("allow"),
  unknown: Decision.default("ask"),
  dangerous: Decision.default("ask"),
  isolation: IsolationChoice.optional(),
});
export type Profile = z.infer<typeof Profile>;

const DEFAULT_PROFILES: Record<string, Profile> = {
  restricted: { description: "Runs nothing.", safe: "deny", unknown: "deny", dangerous: "deny" },
  standard: { description: "Runs what is safe, asks for the rest.", safe: "allow", unknown: "ask", dangerous: "ask" },
  trusted: {
    description: "Asks for what is dangerous, and for programs that Belay does not know.",
    safe: "allow",
    unknown: "allow",
    dangerous: "ask",
  },
};

/** A team's own rule. At least one of `program`, `args` and `pattern` says when it fires. */
export const TeamRule = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "Use lower-case letters, digits and dashes."),
  decision: Decision,
  reason: z.string().min(1).default("A rule of this team."),
  /** Base name of the program, or several. */
  program: z.union([z.string().min(1), Strings.min(1)]).optional(),
  /** The first arguments, word by word. */
  args: Strings.optional(),
  /** If true, no further arguments may follow. */
  exactArgs: z.boolean().default(false),
  /** RE2 over the normal form of one invocation. */
  pattern: z.string().min(1).optional(),
  profiles: Strings.optional(),
  surfaces: z.array(Surface).optional(),
  /** If the rule asks: which roles may answer, and how many people must approve. */
  approvers: z.array(ApproverRole).optional(),
  approversNeeded: z.int().min(1).optional(),
  /** Commands on which this rule must fire, and commands on which it must not. They are checked when the file loads. */
  match: Strings.default([]),
  notMatch: Strings.default([]),
});
export type TeamRule = z.infer<typeof TeamRule>;

const Timeouts = (unknownMs: number | null) =>
  withDefaults({
    unknownMs: Milliseconds.nullable().default(unknownMs),
    /** Null: no time limit. */
    dangerousMs: Milliseconds.nullable().default(null),
  });

/** The whole of `security.json`. Every field has a default, so `{}` is a complete file. */
export const SecuritySettings = z.strictObject({
  $schema: z.string().optional(),
  commandDenyPatterns: Strings.default([]),
  commandApprovalPatterns: Strings.default([]),
  safeCommands: Strings.default([...DEFAULT_SAFE_COMMANDS]),
  dangerousCommands: Strings.default([]),
  blockedCommands: Strings.default([...DEFAULT_BLOCKED_COMMANDS]),
  ordinaryWork: OrdinaryWork,
  /** Folders besides the workspace that count as projects: agents edit, build and test there as in the workspace. */
  projectFolders: Strings.default([...DEFAULT_PROJECT_FOLDERS]),
  protectedPaths: Strings.default([...DEFAULT_PROTECTED_PATHS]),
  profiles: z
    .record(z.string().min(1), Profile)
    .default({})
    .transform((own) => ({ ...DEFAULT_PROFILES, ...own })),
  defaultProfile: z.string().default("standard"),
  rules: z.array(TeamRule).default([]),
  spawn: withDefaults({
    blockedCommands: Strings.default([...DEFAULT_SPAWN_BLOCKED_COMMANDS]),
    /** Whether to block command substitution, pipes into a shell, and writes to `/dev`. */
    blockSubstitution: z.boolean().default(true),
    blockPipeToShell: z.boolean().default(true),
    blockDeviceWrites: z.boolean().default(true),
  }),
  limits: withDefaults({
    spawnsPerMinute: z.int().min(0).default(3),
    spawnedTerminals: z.int().min(0).default(5),
    spawnedIdleMs: Milliseconds.default(5 * 60_000),
    terminalsPerAgent: z.int().min(1).default(50),
    /** How much history a reader of the plain protocol and of `read_terminal` gets. */
    historyBytes: z
      .int()
      .min(1024)
      .default(64 * 1024),
    executeOutputBytes: z.int().min(1024).default(10_000_000),
    /** The longest command or input that an agent may send. */
    commandBytes: z
      .int()
      .min(256)
      .max(64 * 1024)
      .default(64 * 1024),
    terminal: TerminalLimits,
  }),
  approval: withDefaults({
    approvers: z.array(ApproverRole).default(["operator", "admin"]),
    approversNeeded: z.int().min(1).default(1),
    /** Whether an agent is told the name of the person who refused its command; the role is always told. */
    tellNames: z.boolean().default(false),
    /** Whether people may approve for agents that act for them. They may always refuse. */
    ownAgents: z.enum(["approve", "refuse-only"]).default("approve"),
    /** Whether people can preview what a command would change: on request, automatically, or not at all. */
    preview: z.enum(["offer", "always", "off"]).default("offer"),
    /** Unanswered questions are escalated after this many minutes; null: never. */
    passOn: withDefaults({
      afterMinutes: z.int().min(1).max(10_080).nullable().default(null),
      /** The ids of webhooks that are notified only at escalation. If empty, all webhooks are notified again. */
      webhooks: Strings.default([]),
    }),
    /** Whether commands that a wall contains run without approval. */
    inside: z.enum(["ask", "contain"]).default("contain"),
    timeouts: Timeouts(15 * 60_000),
    /** The `sessions` toolset keeps the short time limit that its agents expect. */
    sessionsTimeouts: Timeouts(10_000),
  }),
  /** Commands that clients run in their own shells, and about which a hook asks Belay. */
  hooks: withDefaults({
    /** Who is asked first: people in the console, or the person at the client. */
    ask: z.enum(["console", "client"]).default("console"),
    /** What happens to a question that was not answered in the console in time. Dangerous commands are denied. */
    unanswered: z.enum(["client", "deny"]).default("client"),
    /** While no gateway runs: deny everything, or judge each command by the active policy. */
    offline: z.enum(["deny", "judge"]).default("deny"),
  }),
  rewrites: z.enum(["off", "offer", "run"]).default("offer"),
  isolation: IsolationChoice.default("none"),
  /** Agents' terminals without a wall run as this user. */
  runAs: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]*$/i, "must be the name of a user")
    .nullable()
    .default(null),
  sandbox: SandboxSettings,
  container: ContainerSettings,
  /** What programs behind a wall can reach. */
  network: NetworkSettings,
  /**
   * Folders that a client may choose as its workspace, including subfolders. The gateway's own workspace can always be
   * chosen.
   */
  workspaces: Strings.default([]),
  /** Whether programs in agents' shells may open a pager. If not, they print everything. */
  pagers: z.boolean().default(false),
  /** What each command changed in the workspace, and undo. */
  undo: withDefaults({
    enabled: z.boolean().default(true),
    /** `.gitignore` patterns for ignored files to track anyway, and for files that are never tracked. */
    include: Strings.default([]),
    exclude: Strings.default([]),
    /** The content of larger files is not kept. */
    maxFileBytes: z.int().min(1024).default(10_000_000),
    keepDays: z.int().min(1).default(14),
    /** The limit for each workspace. Beyond it, the oldest history is deleted first. */
    maxBytes: z.int().min(1_000_000).default(2_000_000_000),
  }),
  retention: withDefaults({
    recordingDays: z.int().min(1).nullable().default(90),
    overflowDays: z.int().min(1).default(7),
    trashDays: z.int().min(1).default(30),
    auditDays: z.int().min(1).nullable().default(null),
    recordingBytes: z.int().min(1_000_000).nullable().default(null),
    overflowBytes: z.int().min(1_000_000).nullable().default(2_000_000_000),
    trashBytes: z.int().min(1_000_000).nullable().default(20_000_000_000),
  }),
  toolDefaults: ToolDefaults,
});
export type SecuritySettings = z.infer<typeof SecuritySettings>;
