import {
  findAccount,
  recordingsDirOf,
  type ScreenSnapshot,
  type SnapshotRequest,
  type TerminalHost,
  type TerminalPool,
  type TextRenderer,
} from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import type { Walls } from "../agents/walls.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Settings } from "../env.ts";
import type { EventBus } from "../events.ts";
import type { Places } from "../machines/places.ts";
import type { RecordingCopies } from "../machines/recording-copies.ts";
import type { ShellMemories } from "../policy/memories/shell-memories.ts";
import type { PolicyJudge } from "../policy/policy-judge.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { Db } from "../store/database.ts";
import { OutputTexts } from "./output/output-text.ts";
import { AgentSpawner } from "./shells/agent-spawner.ts";
import { AgentTerminals } from "./shells/agent-terminals.ts";
import { ShellState } from "./shells/shell-state.ts";
import { Miniatures } from "./watching/miniatures.ts";
import { Presence } from "./watching/presence.ts";
import { ShareLinks } from "./watching/share-links.ts";
import { SharedTerminals } from "./watching/shared.ts";

/** The scrollback for a new viewer; the recording has the rest. */
const SNAPSHOT_SCROLLBACK_LINES = 1000;

export interface TerminalServices {
  terminals: TerminalPool;
  spawner: AgentSpawner;
  agentTerminals: AgentTerminals;
  sharedTerminals: SharedTerminals;
  outputTexts: OutputTexts;
  miniatures: Miniatures;
  presence: Presence;
  shares: ShareLinks;
  recordingsDir: string;
  /** The current screen of a terminal, or the one after a flood; null if the terminal is unknown. */
  snapshot(id: TerminalId, options?: Partial<SnapshotRequest>): Promise<ScreenSnapshot | null>;
  close(): Promise<void>;
}

interface Deps {
  host: TerminalHost;
  settings: Settings;
  db: Db;
  audit: AuditLog;
  events: EventBus;
  policy: PolicyStore;
  walls: Walls;
  places: Places;
  recordingCopies: RecordingCopies;
  judge: PolicyJudge["judge"];
  shellMemories: ShellMemories;
  renderer: TextRenderer;
  cluster: Pick<Cluster, "countTerminalsElsewhere">;
  now: () => number;
}

/** Opens the services on terminals: shells for agents, views for people, output as text. */
export async function openTerminalServices({ host, settings, ...deps }: Deps): Promise<TerminalServices> {
  const { terminals } = host;
  const { dataDir } = settings;
  const recordingsDir = recordingsDirOf(dataDir);
  const spawner = new AgentSpawner({ ...deps, terminals });
  const shellState = new ShellState({
    memories: deps.shellMemories,
    judge: deps.judge,
    basePath: settings.terminalEnv.PATH ?? "",
  });
  const outputTexts = new OutputTexts({
    terminals,
    dataDir,
    recordingsDir,
    bringRecording: (id) => deps.recordingCopies.bring(id),
    overflowDays: () => deps.policy.settings.retention.overflowDays,
    overflowBytes: () => deps.policy.settings.retention.overflowBytes,
    overflowGroupId: () => groupOf(deps.policy.settings.runAs),
    renderer: deps.renderer,
    now: deps.now,
  });
  const snapshot: TerminalServices["snapshot"] = (id, options) =>
    host.snapshot(id, { scrollbackLines: SNAPSHOT_SCROLLBACK_LINES, ...options });
  const miniatures = new Miniatures({ snapshot, now: () => performance.now() });
  const unsubscribe = terminals.subscribe((event) => {
    if (event.type === "closed") miniatures.forget(event.terminal.id);
  });
  return {
    terminals,
    spawner,
    agentTerminals: new AgentTerminals({ ...deps, terminals, spawner, shellState }),
    sharedTerminals: await SharedTerminals.open({ ...deps, terminals }),
    outputTexts,
    miniatures,
    presence: new Presence(deps),
    shares: new ShareLinks(deps),
    recordingsDir,
    snapshot,
    close: async () => {
      unsubscribe();
      await miniatures.close();
    },
  };
}

function groupOf(user: string | null): number | null {
  return user === null || process.getuid?.() !== 0 ? null : (findAccount(user)?.gid ?? null);
}
