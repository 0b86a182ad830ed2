"use client";

import { useQuery } from "@tanstack/react-query";
import { formatRow } from "@/features/audit/format-row.ts";
import { Age } from "@/features/terminals/overview/age.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { Facts, Path } from "./facts.tsx";
import { Section } from "./section.tsx";

/** Up to which row the record is signed outside the database. */
export function RecordSettings() {
  const installation = useQuery(useTRPC().gateway.installation.queryOptions());
  return (
    <Section
      title="Checkpoints"
      about="The record is a chain; signed checkpoints in a separate file prove that no part of it was cut off or rewritten."
    >
      {installation.error && <Failure message={installation.error.message} retry={() => void installation.refetch()} />}
      {installation.isPending && <Loading what="the checkpoints" />}
      {installation.data && (
        <>
          <Facts
            facts={[
              ["Rows", installation.data.record.rows.toLocaleString()],
              [
                "Signed",
                installation.data.record.signed ? (
                  <>
                    up to row {formatRow(installation.data.record.signed.seq)},{" "}
                    <Age at={installation.data.record.signed.at} suffix=" ago" />
                  </>
                ) : (
                  "not yet"
                ),
              ],
              ["File", <Path key="file">{installation.data.record.checkpointFile}</Path>],
            ]}
          />
          <p className="mt-3 text-sm text-muted">
            Copy that file to another machine from time to time: with a copy, even the owner of this machine can’t
            rewrite the record unnoticed. <Path>{`${installation.data.command} audit verify --against COPY`}</Path>
          </p>
        </>
      )}
    </Section>
  );
}
