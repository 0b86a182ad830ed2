import type { Logger } from "pino";
import type { Agents } from "../agents/agents.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Settings } from "../env.ts";
import type { EventBus } from "../events.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { Db } from "../store/database.ts";
import { AddressGuard } from "./address-guard.ts";
import { Webhooks } from "./webhooks.ts";

interface Deps {
  settings: Settings;
  db: Db;
  audit: AuditLog;
  events: EventBus;
  agents: Agents;
  policy: PolicyStore;
  log: Logger;
  now: () => number;
  url: () => string;
}

/** Opens the webhooks, which may call only addresses that the settings allow. */
export function openWebhooks({ settings, policy, ...deps }: Deps): Webhooks {
  return new Webhooks({
    ...deps,
    guard: new AddressGuard(settings.webhookInternalHosts),
    passOn: () => policy.settings.approval.passOn,
  });
}
