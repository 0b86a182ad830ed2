import type { Approval } from "@belay/protocol";
import { type InputRequiredResult, inputRequired } from "@modelcontextprotocol/server";
import type { Gateway } from "../../gateway.ts";

/**
 * Has the client show its user the page where this command is approved.
 *
 * What the client says then counts for nothing: the answer is given on that page, by somebody who is signed in
 * there. The call comes back with the command's id, and goes on waiting.
 */
export function showApproval({ id, commandId }: Approval, gateway: Gateway): InputRequiredResult {
  const message = "A command waits until a person approves it. Open Belay to see it and decide.";
  return inputRequired({
    inputRequests: {
      approval: inputRequired.elicitUrl({ message, url: `${gateway.url()}/approvals?id=${id}` }),
    },
    requestState: commandId,
  });
}
