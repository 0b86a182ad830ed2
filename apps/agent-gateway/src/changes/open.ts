import { type Histories, HistoryThread } from "@belay/core";
import type { Logger } from "pino";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Settings } from "../env.ts";
import type { EventBus } from "../events.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { Db } from "../store/database.ts";
import { ChangeViews } from "./change-views.ts";
import { Changes } from "./changes.ts";
import { FollowedWorkspaces } from "./followed-workspaces.ts";
import { Undo } from "./undo.ts";

export interface ChangesRoom {
  changes: Changes;
  changeViews: ChangeViews;
  undo: Undo;
  histories: Histories;
  followed: FollowedWorkspaces;
}

interface Deps {
  settings: Settings;
  db: Db;
  audit: AuditLog;
  events: EventBus;
  policy: PolicyStore;
  now: () => number;
  log: Logger;
}

/** Opens change tracking and undo. */
export function openChanges(deps: Deps): ChangesRoom & { close(): Promise<void> } {
  const { settings, policy } = deps;
  const thread = new HistoryThread();
  const histories = thread.calls;
  const followed = new FollowedWorkspaces({
    settings: () => policy.settings.undo,
    dataDir: settings.dataDir,
    workspace: settings.workspace,
    searchPath: settings.terminalEnv.PATH ?? "",
  });
  const changes = new Changes({ ...deps, histories, followed, limits: () => policy.settings.undo });
  const changeViews = new ChangeViews({ ...deps, changes, histories, followed });
  const undo = new Undo({ ...deps, histories, followed, views: changeViews });
  return {
    changes,
    changeViews,
    undo,
    histories,
    followed,
    close: async () => {
      await changes.close();
      await thread.close();
    },
  };
}
