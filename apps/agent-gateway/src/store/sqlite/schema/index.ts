// All tables, a file per domain. `../../postgres/schema/` has the same ones for PostgreSQL.

export { agents, freezes } from "./agents.ts";
export { approvals, approvalVotes, grants, webhooks } from "./approvals.ts";
export { clientCalls, commandChanges, commands } from "./commands.ts";
export { machines, machineTerminals } from "./machines.ts";
export { account, invitations, session, user, verification } from "./people.ts";
export { policyProposals, policyVersions } from "./policy.ts";
export { auditEvents, meta } from "./record.ts";
export { agentShares, conversationShells, shareLinks, shellMemories, writtenFiles } from "./terminals.ts";
