import { type Approval, showHidden } from "@belay/protocol";
import { type InputRequiredResult, inputRequired } from "@modelcontextprotocol/server";
import type { Gateway } from "../../gateway.ts";

/** How much of a command fits into a dialogue; the page shows all of it. */
const MAX_COMMAND_CHARS = 300;

/**
 * Makes the client show its user the page where this command is approved.
 *
 * The client's own answer does not count: a signed-in person answers on that page.
 * The call comes back with the command's id, and continues to wait.
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
