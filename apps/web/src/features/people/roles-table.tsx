"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, Minus } from "lucide-react";
import { useTRPC } from "@/trpc/client.ts";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";

const ROLES = ["viewer", "operator", "admin"] as const;

/** What each role may do. The gateway makes the table from what it enforces. */
export function RolesTable() {
  const table = useQuery(useTRPC().roles.table.queryOptions());
  return (
    <section className="mt-6" aria-labelledby="roles">
      <h2 id="roles" className="mb-2 text-sm font-medium">
        What each role may do
      </h2>
      {table.error && <Failure message={table.error.message} retry={() => void table.refetch()} />}
      {table.isPending && <Loading what="roles" />}
      <div className="overflow-x-auto rounded-xl border border-line bg-raised">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line text-left text-muted">
              <th scope="col" className="px-4 py-2 font-medium">
                <span className="sr-only">What</span>
              </th>
              {ROLES.map((role) => (
                <th key={role} scope="col" className="px-1.5 py-2 text-center font-medium sm:px-3">
                  {role}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {table.data?.map(({ what, role: from }) => (
              <tr key={what}>
                <th scope="row" className="px-4 py-1.5 text-left font-normal">
                  {what}
                </th>
                {ROLES.map((role, rank) => {
                  const may = rank >= ROLES.indexOf(from);
                  const Icon = may ? Check : Minus;
                  return (
                    <td key={role} className="px-1.5 py-1.5 text-center sm:px-3">
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
