import type { Approval, ApprovalId, CommandId, NamedFile } from "@belay/protocol";
import type { Agents } from "../agents/agents.ts";
import type { Approvals } from "../approvals/approvals.ts";
import type { Freezer } from "../approvals/freezer.ts";
import type { EditVerdict, Question } from "../approvals/question.ts";
import type { CommandRecords } from "../audit/command-records.ts";
import type { Changes } from "../changes/changes.ts";
import type { Judged, PolicyJudge } from "../policy/policy-judge.ts";
import type { Previews } from "../previews/previews.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { isSameSubject } from "../store/tables/approvals.ts";
import { type Act, isPreview, textOf, withText } from "./act.ts";
import { afterDelivery, type CommandOutcome, type Delivery, hasRun } from "./outcome.ts";
import type { Perform } from "./perform-act.ts";

/** The toolset that an agent used; it affects how long a person has to answer. */
export type Origin = "deep" | "pool" | "sessions" | "unified" | "trpc" | "library" | "hook" | "wall";

export interface CommandRequest {
  commandId: CommandId;
  agent: AgentRow;
  origin: Origin;
  act: Act;
  /** An earlier gateway opened its record. */
  isResumed?: true;
  /** Tells a client that runs its commands itself what was decided, before the record says that it was told. */
  deliver?: (outcome: CommandOutcome) => Promise<Delivery>;
}

export interface SubmitDeps {
  agents: Agents;
  policy: PolicyJudge;
  approvals: Approvals;
  freezer: Freezer;
  records: CommandRecords;
  changes: Pick<Changes, "begin">;
  previews: Pick<Previews, "offer" | "leaveShell">;
  perform: Perform;
  /** Why this gateway may not judge now: it may have missed a change of the policy. Null if it may. */
  whyNotNow: () => Promise<string | null>;
}

const NOT_A_TEXT = "Only a command's text can be edited, and this is more than text.";

/**
 * One command, start to finish: judge, ask, run. The record sees every step.
 *
 * Every way in for an agent ends here. `onAsked` is called when a person has to answer first.
 */
export function submitCommand(
  request: CommandRequest,
  { agents, policy, approvals, freezer, records, changes, previews, perform, whyNotNow }: SubmitDeps,
  onAsked: (approval: Approval) => void,
): Promise<CommandOutcome> {
  // Opens the record first and always closes it: nothing runs unrecorded.
  return records.record(request, async (step) => {
    const outcome: CommandOutcome = (await freezer.isFrozen(request.agent.id)) ? { status: "frozen" } : await attempt();
    return request.deliver ? afterDelivery(outcome, await request.deliver(outcome)) : outcome;

    async function attempt(): Promise<CommandOutcome> {
      const why = await whyNotNow();
      if (why !== null) return { status: "failed", message: why };
      const judged = await judge(request.act);
      if (judged.problem) return judged.problem;
      const { verdict } = judged;
      if (verdict.decision === "allow") return run(judged);
      if (verdict.decision === "deny") return (await runRewrite(judged)) ?? { status: "denied", verdict };

      if (policy.leavesToClient(request.act, verdict, { isUnanswered: false }))
        return { status: "leftToClient", verdict };
      const question = policy.question(request, judged);
      const answer = await approvals.ask(question, judgeNow, (approval) => {
        previews.offer(approval, request);
        onAsked(approval);
      });
      await previews.leaveShell(answer.approvalId);
      await step("command.answered", { ...answer });
      if (answer.decision === "deny") {
        const isUnanswered = answer.reason === "expired";
        if (isUnanswered && policy.leavesToClient(request.act, verdict, { isUnanswered }))
          return { status: "leftToClient", verdict };
        const decider = answer.by === null ? {} : { decider: await approvals.describePerson(answer.by) };
        return { status: "refused", verdict, answer, ...decider };
      }
      const [isFrozen, stands, now] = await Promise.all([
        // Checked at once: a command that was approved during a freeze must not run later.
        freezer.isFrozen(request.agent.id),
        // While the other approvers decided, the first may have lost the right to approve, or the agent its own rights.
        approvals.stands(answer, question),
        currentAgent().then((agent) => policy.judge(request.act, agent)),
      ]);
      if (isFrozen) return { status: "frozen" };
      if (!stands) return attempt();
      if (answer.editedText !== null) return runEdited(answer.editedText, question);
      // If anything has changed since the approval, it is judged, and asked, again.
      return isSameSubject(policy.question(request, now).subject, question.subject)
        ? run(now, answer.preview === undefined ? null : answer.approvalId)
        : attempt();
    }

    /** The verdict on it now, or on an edited text. Nothing is recorded: the person has not decided yet. */
    async function judgeNow(text: string | null): Promise<EditVerdict> {
      const act = text === null ? request.act : withText(request.act, text);
      const judged = await policy.judge(act ?? request.act, await currentAgent(), { findsFiles: false });
      const { verdict, approvers, approversNeeded } = policy.question(request, judged);
      const problem = act ? judged.problem && describeProblem(judged.problem) : NOT_A_TEXT;
      return { verdict, approvers, approversNeeded, problem };
    }

    /** Approved with an edited text, which is judged again: only a denial stops what a person wrote. */
    async function runEdited(text: string, { subject }: Question): Promise<CommandOutcome> {
      const act = withText(request.act, text);
      if (!act) return { status: "failed", message: NOT_A_TEXT };
      const judged = await judge(act);
      if (judged.problem) return judged.problem;
      if (judged.verdict.decision === "deny") return { status: "denied", verdict: judged.verdict };
      // The text is the person's own, but the files it names must be those that they were shown, or it is asked again.
      if (!hasSameContent(judged.binding.files, subject.files)) return attempt();
      const outcome = await run(judged);
      return hasRun(outcome) ? { ...outcome, editedTo: text } : outcome;
    }

    /** If the policy says so, runs the safe form of a denied command instead, provided that is allowed on its own. */
    async function runRewrite({ verdict: { rewrite }, runsRewrites }: Judged): Promise<CommandOutcome | null> {
      const act = rewrite && runsRewrites ? withText(request.act, rewrite.command) : null;
      if (!act) return null;
      const judged = await judge(act);
      if (judged.problem || judged.verdict.decision !== "allow") return null;
      const outcome = await run(judged);
      return hasRun(outcome) ? { ...outcome, rewrittenTo: textOf(act) } : outcome;
    }

    /** The agent with its current rights, in the workspace of this conversation. */
    async function currentAgent(): Promise<AgentRow> {
      return { ...(await agents.current(request.agent.id)), workspace: request.agent.workspace };
    }

    async function judge(act: Act): Promise<Judged> {
      const judged = await policy.judge(act, await currentAgent());
      const { verdict, syntax, policyVersion, binding } = judged;
      const detail = { ...verdict, syntax, policyVersion, text: textOf(act) };
      await step("command.judged", { ...detail, ...(binding.machine !== undefined && { machine: binding.machine }) });
      return judged;
    }

    /** With `previewOf`, the effect that the person saw in the preview is applied instead of a run. */
    async function run(approved: Judged, previewOf: ApprovalId | null = null): Promise<CommandOutcome> {
      // Checked again: a person may have frozen everything while this one waited.
      const [why, isFrozen] = await Promise.all([whyNotNow(), freezer.isFrozen(request.agent.id)]);
      if (why !== null) return { status: "failed", message: why };
      if (isFrozen) return { status: "frozen" };
      // A preview leaves the shell and the files as they are.
      if (!isPreview(approved.act)) await policy.remember(approved);
      // Before a command that may write, a snapshot is taken, so that its changes can be shown and undone.
      const history = approved.mayWrite ? await changes.begin(request.commandId, request.agent, approved.act) : null;
      const detail = {
        line: textOf(approved.act),
        ...(history ? { history: { ...history } } : {}),
        ...(previewOf === null ? {} : { takesPreview: true }),
      };
      await step("command.started", detail); // durable before the first byte is typed
      const taken = previewOf && { approvalId: previewOf, begun: history && "seq" in history ? history : null };
      return perform({ ...request, agent: await currentAgent() }, approved, taken);
    }
  });
}

/** Whether files that are in both lists have the same content. */
function hasSameContent(now: readonly NamedFile[], shown: readonly NamedFile[]): boolean {
  const before = new Map(shown.map(({ path, sha256 }) => [path, sha256]));
  return now.every(({ path, sha256 }) => (before.get(path) ?? sha256) === sha256);
}

function describeProblem(problem: NonNullable<Judged["problem"]>): string {
  return problem.status === "incomplete" ? "a quote, a bracket or a block is still open." : problem.reason;
}
