// The tables of ../../sqlite/schema/ for PostgreSQL, with the same names, so that the same functions work on both. Comments are there.
// JSON is stored as text: the chain covers the exact text, and PostgreSQL's own types refuse some of what JSON allows.

export { agents, freezes } from "./agents.ts";
export { approvals, approvalVotes, grants, webhooks } from "./approvals.ts";
export { clientCalls, commandChanges, commands } from "./commands.ts";
export { gateways } from "./gateways.ts";
export { machines, machineTerminals } from "./machines.ts";
export { account, invitations, session, user, verification } from "./people.ts";
export { policyProposals, policyVersions } from "./policy.ts";
export { auditEvents, meta } from "./record.ts";
export { agentShares, conversationShells, shareLinks, shellMemories, writtenFiles } from "./terminals.ts";
export { tries } from "./tries.ts";
