import { agentsRouter } from "./agents.ts";
import { approvalsRouter } from "./approvals.ts";
import { auditRouter } from "./audit.ts";
import { eventsRouter } from "./events.ts";
import { gatewayRouter } from "./gateway-router.ts";
import { router } from "./init.ts";
import { peopleRouter } from "./people.ts";
import { policyRouter } from "./policy.ts";
import { recordingsRouter } from "./recordings.ts";
import { sharesRouter } from "./shares.ts";
import { terminalsRouter } from "./terminals.ts";
import { trashRouter } from "./trash.ts";
import { webhooksRouter } from "./webhooks.ts";

export const appRouter = router({
  agents: agentsRouter,
  approvals: approvalsRouter,
  audit: auditRouter,
  events: eventsRouter,
  gateway: gatewayRouter,
  people: peopleRouter,
  policy: policyRouter,
  recordings: recordingsRouter,
  shares: sharesRouter,
  terminals: terminalsRouter,
  trash: trashRouter,
  webhooks: webhooksRouter,
});

export type { RuleSuggestion } from "@belay/policy";
export type { TimelineEntry } from "../command-timeline.ts";
export type { GatewayEvent } from "../events.ts";
export type AppRouter = typeof appRouter;
