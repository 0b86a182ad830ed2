import { type Approval, showHidden } from "@belay/protocol";
import { type InputRequiredResult, inputRequired } from "@modelcontextprotocol/server";
import type { Gateway } from "../../gateway.ts";

/** As much of a command as fits into a dialogue; the page shows all of it. */
const MAX_COMMAND_CHARS = 300;

/**
 * Has the client show its user the page where this command is approved.
 *
 * What the client says then counts for nothing: the answer is given on that page, by somebody who is signed in
 * there. The call comes back with the command's id, and goes on waiting.
 */
export function showApproval({ id, commandId, subject, verdict }: Approval, gateway: Gateway): InputRequiredResult {
  const command = showHidden(subject.text);
  const shown = command.length > MAX_COMMAND_CHARS ? `${command.slice(0, MAX_COMMAND_CHARS)}…` : command;
  const reason = verdict.matches[0]?.reason ?? "";
  const message = `This command waits until a person approves it: ${shown}\n${reason} Open Belay to decide.`;
  return inputRequired({
    inputRequests: {
      approval: inputRequired.elicitUrl({ message, url: `${gateway.url()}/approvals?id=${id}` }),
    },
    requestState: commandId,
  });
}
