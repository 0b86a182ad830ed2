import type { AuditRow } from "@belay/agent-gateway/router";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { changesOf } from "./changes-of.ts";

type Json = AuditRow["detail"][string];

/** The details of a row as names and values. If it has before and after, changed fields come first. */
export function DetailTree({ detail }: { detail: AuditRow["detail"] }) {
  const changes = changesOf(detail);
  const rest = Object.entries(detail).filter(([key]) => changes === null || (key !== "before" && key !== "after"));
  if (changes === null && rest.length === 0) return <p className="text-sm text-muted">It has none.</p>;
  return (
    <div className="grid gap-4">
      {changes && (
        <table className="w-full table-fixed text-sm">
          <thead>
            <tr className="text-left text-xs text-muted">
              <th scope="col" className="w-1/4 py-1 font-medium">
                What
              </th>
              <th scope="col" className="py-1 font-medium">
                Before
              </th>
              <th scope="col" className="py-1 font-medium">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, before, after, isChanged }) => (
              <tr key={name} className="border-t border-line align-top">
                <th scope="row" className="py-1 pr-2 text-left font-normal break-words text-muted">
                  {name}
                </th>
                <td className="py-1 pr-2 font-mono text-xs leading-6 break-words">{plain(before)}</td>
                <td
                  className={`py-1 font-mono text-xs leading-6 break-words ${isChanged ? "font-semibold" : "text-muted"}`}
                >
                  {plain(after)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rest.length > 0 && (
        <dl className="grid grid-cols-[minmax(4rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
          {rest.map(([key, value]) => (
            <div key={key} className="contents">
              <dt className="text-muted">{key}</dt>
              <dd className="max-h-60 overflow-y-auto font-mono text-xs leading-6 break-words whitespace-pre-wrap">
                {plain(value)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function plain(value: Json | undefined): string {
  if (value === undefined || value === null) return "–";
  return visibleText(typeof value === "string" ? value : JSON.stringify(value, null, 1));
}
