import type { Approval, ApprovalState } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { Person } from "../people/person.ts";
import type { Decision, EditVerdict } from "./question.ts";

/** Throws the reason if this person may not answer like this. */
export function assertMayAnswer(approval: Approval, decision: Decision, by: Person): void {
  if (!approval.approvers.some((role) => role === by.role)) {
    const roles = approval.approvers.join(" or ");
    throw new GatewayError("not-an-approver", `The policy requires the role ${roles} to answer this.`);
  }
  if (decision.decision === "deny") return;
  const { terminalId, client } = approval.subject;
  if (decision.scope.type === "terminal" && terminalId === null && !client?.session) {
    throw new GatewayError("bad-request", "It does not run in a terminal. Approve it once, or for some minutes.");
  }
  if (decision.preview !== undefined && (decision.scope.type !== "once" || decision.editedText !== null)) {
    throw new GatewayError("bad-request", "A preview is applied once, and as it was shown.");
  }
  if (approval.approversNeeded === 1) return;
  if (decision.preview !== undefined) {
    throw new GatewayError(
      "no-preview",
      "This takes several people, so it runs for real once all of them have agreed.",
    );
  }
  // A single approver must not add a text or a rule that the others have not seen.
  if (decision.editedText !== null || decision.scope.type === "always") {
    throw new GatewayError(
      "edit-needs-one-approver",
      "This needs several people, so it can only be approved unchanged. Deny it with a message to have it changed.",
    );
  }
}

/** Why a person may not edit a question into this. */
export function whyNotEdited({ verdict, problem, approvers, approversNeeded }: EditVerdict, by: Person): string | null {
  if (problem !== null) return problem;
  if (verdict.decision === "deny") return verdict.matches[0]?.reason ?? "The policy forbids it.";
  if (verdict.decision === "allow") return null;
  if (!approvers.some((role) => role === by.role))
    return `The policy requires the role ${approvers.join(" or ")} for it.`;
  return approversNeeded > 1 ? `The policy requires ${approversNeeded} people to approve it.` : null;
}

export function noCommandWaits(): GatewayError {
  return new GatewayError(
    "no-command-waits",
    "No command is waiting for this answer, so nothing would run. If Belay is stopped, start it and answer then.",
  );
}

export function alreadySettled(state: ApprovalState): GatewayError {
  const who =
    state.status === "approved" ? ` by ${state.by.join(" and ")}` : state.status === "denied" ? ` by ${state.by}` : "";
  return new GatewayError("already-settled", `This was already ${state.status}${who}.`);
}

/** Another person answered at the same moment: their answer counts. */
export function ignoreSettled(error: unknown): void {
  if (!(error instanceof GatewayError) || error.code !== "already-settled") throw error;
}
