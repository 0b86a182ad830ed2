import { Check, Minus } from "lucide-react";

const ROLES = ["viewer", "operator", "admin"] as const;

/** What each role may do. The gateway decides; these rows follow its own table of roles. */
const MAY: readonly [what: string, from: (typeof ROLES)[number]][] = [
  ["See terminals, approvals, replays, agents and the policy", "viewer"],
  ["Change their own password, end their own sessions", "viewer"],
  ["Approve and refuse commands; propose rules", "operator"],
  ["Take terminals over, type, end them, share them", "operator"],
  ["Freeze and release agents, reset one", "operator"],
  ["Search the audit and verify it; restore from the trash", "operator"],
  ["Change the policy; accept rules that others propose", "admin"],
  ["Add, change and revoke agents", "admin"],
  ["Invite people, change roles, end anyone’s sessions", "admin"],
  ["Export the audit, redact it, empty the trash", "admin"],
];

export function RolesTable() {
  return (
    <section className="mt-6" aria-labelledby="roles">
      <h2 id="roles" className="mb-2 text-sm font-medium">
        What each role may do
      </h2>
      <div className="overflow-x-auto rounded-xl border border-line bg-raised">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line text-left text-muted">
              <th scope="col" className="px-4 py-2 font-medium">
                <span className="sr-only">What</span>
              </th>
              {ROLES.map((role) => (
                <th key={role} scope="col" className="px-3 py-2 text-center font-medium">
                  {role}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {MAY.map(([what, from]) => (
              <tr key={what}>
                <th scope="row" className="px-4 py-1.5 text-left font-normal">
                  {what}
                </th>
                {ROLES.map((role, rank) => {
                  const may = rank >= ROLES.indexOf(from);
                  const Icon = may ? Check : Minus;
                  return (
                    <td key={role} className="px-3 py-1.5 text-center">
                      <Icon aria-hidden className={`mx-auto size-4 ${may ? "text-accent" : "text-muted"}`} />
                      <span className="sr-only">{may ? "yes" : "no"}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
