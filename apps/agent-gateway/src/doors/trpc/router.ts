import type { Agents } from "../../agents/agents.ts";
import { procedureFor, router } from "./init.ts";
import { type RoleDuty, readRoleTable } from "./role-table.ts";
import { agentsRouter } from "./routers/agents.ts";
import { approvalsRouter } from "./routers/approvals.ts";
import { auditRouter } from "./routers/audit.ts";
import { changesRouter } from "./routers/changes.ts";
import { clientsRouter } from "./routers/clients.ts";
import { eventsRouter } from "./routers/events.ts";
import { gatewayRouter } from "./routers/gateway.ts";
import { machinesRouter } from "./routers/machines.ts";
import { peopleRouter } from "./routers/people.ts";
import { policyRouter } from "./routers/policy.ts";
import { recordingsRouter } from "./routers/recordings.ts";
import { sharesRouter } from "./routers/shares.ts";
import { terminalsRouter } from "./routers/terminals.ts";
import { trashRouter } from "./routers/trash.ts";
import { webhooksRouter } from "./routers/webhooks.ts";

export const appRouter = router({
  agents: agentsRouter,
  approvals: approvalsRouter,
  audit: auditRouter,
  clients: clientsRouter,
  changes: changesRouter,
  events: eventsRouter,
  gateway: gatewayRouter,
  machines: machinesRouter,
  people: peopleRouter,
  policy: policyRouter,
  recordings: recordingsRouter,
  shares: sharesRouter,
  terminals: terminalsRouter,
  trash: trashRouter,
  webhooks: webhooksRouter,
  roles: router({
    /** What each role may do, made from the procedures themselves. */
    table: procedureFor("admin").query(roleTable),
  }),
});

/** By itself and with its type, or the router's type would depend on itself. */
function roleTable(): RoleDuty[] {
  return readRoleTable(appRouter._def.procedures);
}

export type { RecordingSegment } from "@belay/core";
export type { RuleSuggestion } from "@belay/policy";
export type { AuditEvent as AuditRow } from "@belay/protocol";
export type { AuditFilter as AuditSearch } from "../../audit/search/filter.ts";
export type { ChainReport } from "../../audit/verify.ts";
export type { ChainPlace } from "../../audit/views/chain-place.ts";
export type { Charts } from "../../audit/views/charts.ts";
export type { VerifyStep } from "../../audit/views/verify-steps.ts";
export type { ChangesView } from "../../changes/change-views.ts";
export type { GatewayView } from "../../cluster/cluster.ts";
export type { TimelineEntry } from "../../commands/timeline.ts";
export type { AwayLine } from "../../commands/while-away.ts";
export type { GatewayEvent } from "../../events.ts";
export type { MachineView } from "../../machines/machines.ts";
export type { PreviewState, PreviewView } from "../../previews/previews.ts";
export type { ReplayMark } from "../../recordings/marks.ts";
export type { RecordingAbout, RecordingSummary } from "../../recordings/replays.ts";
export type { ClientConversationRow } from "../../store/tables/client-calls.ts";
export type AgentListEntry = Awaited<ReturnType<Agents["list"]>>[number];
export type AppRouter = typeof appRouter;
