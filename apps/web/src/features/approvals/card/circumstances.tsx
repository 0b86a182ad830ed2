import type { ApprovalSubject } from "@belay/protocol";
import { HOOK_CLIENT_NAMES } from "@belay/protocol/client-names";
import { PlainText } from "../reading/plain-text.tsx";
import { ReadBox } from "../reading/read-box.tsx";
import { visibleText } from "./visible-text.ts";

const USUAL_SHELL = /(^|\/)(ba|z|da)?sh$/;

/** What else affects the run besides the text: where it runs, and its environment. */
export function Circumstances({ subject }: { subject: ApprovalSubject }) {
  const { surface, argv, env, stdin, shell, client } = subject;
  const facts: [name: string, value: string][] = [
    ...(client
      ? [["Runs in", `${HOOK_CLIENT_NAMES[client.client]}'s own shell, outside Belay's walls`] as [string, string]]
      : []),
    ...(subject.machine === undefined ? [] : [["On the machine", subject.machine] as [string, string]]),
    ...(subject.isPreview
      ? [["Only shows", "the agent what it would change; nothing runs for real"] as [string, string]]
      : []),
    ...(surface === "spawn" ? [["Starts", "in the background"] as [string, string]] : []),
    ...(surface === "input" ? [["Is typed into", argv?.join(" ") ?? "a program"] as [string, string]] : []),
    ...(surface !== "input" && argv !== null ? [["Runs", "without a shell"] as [string, string]] : []),
    ...(shell === null || USUAL_SHELL.test(shell) ? [] : [["Shell", shell] as [string, string]]),
    ...Object.entries(env).map(([name, value]): [string, string] => [name, value]),
    ...(stdin === null ? [] : [["Is given", stdin] as [string, string]]),
  ];
  if (facts.length === 0) return null;
  return (
    <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{visibleText(name)}</dt>
          <dd className="font-mono text-xs leading-5 break-all whitespace-pre-wrap">
            <ReadBox label={visibleText(name)} className="max-h-32 overflow-y-auto">
              <PlainText text={value} />
            </ReadBox>
          </dd>
        </div>
      ))}
    </dl>
  );
}
