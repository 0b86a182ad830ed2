import type { Approval } from "@belay/protocol";
import { CommandText } from "../reading/command-text.tsx";
import { ReadBox } from "../reading/read-box.tsx";

const LOOKS = {
  page: { box: "max-h-[40dvh] p-4", text: "text-[0.9375rem] leading-7" },
  pane: { box: "max-h-32 p-3", text: "text-sm leading-6" },
} as const;

/** The command that waits, with the parts that a rule fired on marked. It has to be read before it can be answered. */
export function CommandBox({ approval, size }: { approval: Approval; size: keyof typeof LOOKS }) {
  const { subject, verdict } = approval;
  const { box, text } = LOOKS[size];
  return (
    <ReadBox label="The command" className={`overflow-y-auto rounded-lg border border-line bg-sunken ${box}`}>
      <CommandText text={subject.text} spans={verdict.matches.map(({ span }) => span)} className={text} />
    </ReadBox>
  );
}
