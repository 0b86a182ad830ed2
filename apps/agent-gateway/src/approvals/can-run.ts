import type { Approval, ApprovalId } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import type { Person } from "../people/person.ts";
import type { Freezer } from "./freezer.ts";
import { whyNotEdited } from "./may-answer.ts";
import type { OwnAgents } from "./own-agents.ts";
import type { EditVerdict } from "./question.ts";

interface Deps {
  freezer: Freezer;
  ownAgents: OwnAgents;
  /** Why this gateway starts no command now; null if it does. */
  whyNotNow: () => Promise<string | null>;
}

/** What the open question itself can do. */
interface OpenQuestion {
  judgeEdit(id: ApprovalId, text: string | null): Promise<EditVerdict>;
  withdraw(id: ApprovalId, reason: string): Promise<void>;
}

export async function assertNotOwn({ subject }: Approval, by: Person, { ownAgents }: Deps): Promise<void> {
  if ((await ownAgents.whoMayApprove(subject.agentId, [by.id])).length > 0) return;
  throw new GatewayError(
    "not-an-approver",
    "This agent acts for you, and the policy requires another person to approve for it. You can refuse it.",
  );
}

/** Rejects an approval that could not take effect: the question stays open, and the person is told why. */
export async function assertCanRun(
  approval: Approval,
  { editedText, by }: { editedText: string | null; by: Person },
  { freezer, whyNotNow }: Deps,
  question: OpenQuestion,
): Promise<void> {
  const [isFrozen, why] = await Promise.all([freezer.isFrozen(approval.subject.agentId), whyNotNow()]);
  if (isFrozen) {
    throw new GatewayError(
      "agent-frozen",
      "Its agent is frozen, so it cannot run. Release it first; until then the question stays open.",
    );
  }
  if (why !== null) throw new GatewayError("gateway-deaf", `${why} Until then the question stays open.`);
  const judged = await question.judgeEdit(approval.id, editedText);
  if (editedText === null) {
    if (judged.verdict.decision !== "deny") return;
    const reason = judged.verdict.matches[0]?.reason ?? "The policy forbids it.";
    await question.withdraw(approval.id, `While it waited, the policy or its agent's rights changed: ${reason}`);
    throw new GatewayError(
      "no-longer-allowed",
      `Nothing runs. The policy or its agent's rights have changed since it was asked: ${reason}`,
    );
  }
  const objection = whyNotEdited(judged, by);
  if (objection !== null) throw new GatewayError("edit-denied", `The edited command cannot run: ${objection}`);
}
