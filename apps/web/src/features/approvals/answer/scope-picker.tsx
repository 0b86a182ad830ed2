"use client";

import type { Approval, ApprovalScope } from "@belay/protocol";
import { Choices } from "@/ui/controls/choices.tsx";

export type ScopeType = ApprovalScope["type"];

const LABELS = { once: "Once", terminal: "This terminal", minutes: "15 minutes", always: "Always" } as const;

/** In the order of the keys 1, 2, 3, 4. If several people must approve, one of them cannot write a rule alone. */
export function scopesFor({ approversNeeded, subject }: Approval): ScopeType[] {
  const here: ScopeType[] = subject.terminalId === null && !subject.client?.session ? [] : ["terminal"];
  return ["once", ...here, "minutes", ...(approversNeeded > 1 ? [] : (["always"] as const))];
}

/** Nor can they edit a text that the others have not seen. A connection goes where its program asked to go. */
export function canEdit(approval: Approval): boolean {
  return approval.approversNeeded === 1 && !isConnection(approval);
}

/** Whether a program behind a wall wants to connect to a host that is not listed. */
function isConnection({ verdict }: Approval): boolean {
  return verdict.matches.some(({ rule, layer }) => rule === "new-host" && layer === "wall");
}

export function scopeOf(type: ScopeType): ApprovalScope {
  return type === "minutes" ? { type, minutes: 15 } : { type };
}

/** How far an approval reaches: the same text from the same agent, in the same folder, under the same policy. */
export function ScopePicker({
  approval,
  value,
  onChange,
}: {
  approval: Approval;
  value: ScopeType;
  onChange(value: ScopeType): void;
}) {
  return (
    <Choices
      legend="Allow it"
      choices={scopesFor(approval).map((type) => ({ value: type, label: labelOf(type, approval) }))}
      value={value}
      onChange={onChange}
    />
  );
}

function labelOf(type: ScopeType, { subject }: Approval): string {
  return type === "terminal" && subject.client ? "This conversation" : LABELS[type];
}

/** The label of the approve button. */
export function approveVerb(type: ScopeType, approval: Approval): string {
  const verb = isConnection(approval) ? "Allow" : "Run";
  switch (type) {
    case "once":
      return `${verb} once`;
    case "terminal":
      return `${verb}, and again in this terminal`;
    case "minutes":
      return `${verb}, and again for 15 minutes`;
    case "always":
      return `${verb}, and always`;
  }
}
