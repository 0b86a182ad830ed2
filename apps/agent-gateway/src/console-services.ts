import type { ScreenSnapshot, TerminalPool } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import type { Logger } from "pino";
import type { Agents } from "./agents/agents.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import { readTimeline, type TimelineEntry } from "./commands/timeline.ts";
import type { EventBus } from "./events.ts";
import type { Db } from "./store/database.ts";
import { Miniatures } from "./terminals/miniatures.ts";
import { Presence } from "./terminals/presence.ts";
import { ShareLinks } from "./terminals/share-links.ts";
import { AddressGuard } from "./webhooks/address-guard.ts";
import { Webhooks } from "./webhooks/webhooks.ts";

export interface ConsoleServices {
  miniatures: Miniatures;
  presence: Presence;
  shares: ShareLinks;
  webhooks: Webhooks;
  timeline(id: TerminalId, limit: number): Promise<TimelineEntry[]>;
  close(): Promise<void>;
}

/** What only people who look at the console need. Nothing of it decides what runs. */
export function openConsoleServices(deps: {
  db: Db;
  audit: AuditLog;
  events: EventBus;
  agents: Agents;
  terminals: TerminalPool;
  snapshot: (id: TerminalId, options: { scrollbackLines: number }) => Promise<ScreenSnapshot | null>;
  webhookInternalHosts: readonly string[];
  log: Logger;
  now: () => number;
  url: () => string;
}): ConsoleServices {
  const miniatures = new Miniatures(deps);
  const webhooks = new Webhooks({ ...deps, guard: new AddressGuard(deps.webhookInternalHosts) });
  const unsubscribe = deps.terminals.subscribe((event) => {
    if (event.type === "closed") miniatures.forget(event.terminal.id);
  });
  return {
    miniatures,
    webhooks,
    presence: new Presence(deps),
    shares: new ShareLinks(deps),
    timeline: (id, limit) => readTimeline(deps.db, deps.terminals, id, limit),
    close: async () => {
      unsubscribe();
      webhooks.close();
      await miniatures.close();
    },
  };
}
