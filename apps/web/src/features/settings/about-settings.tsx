"use client";

import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/features/frame/use-me.ts";
import { Age } from "@/features/terminals/overview/age.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { ScrollList } from "@/ui/lists/scroll-list.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { Facts, Path } from "./facts.tsx";
import { Section } from "./section.tsx";

/** The version of Belay, its data folder, and the licences of its dependencies. */
export function AboutSettings() {
  const { isAdmin } = useMe();
  const trpc = useTRPC();
  const about = useQuery(trpc.gateway.about.queryOptions());
  const installation = useQuery(trpc.gateway.installation.queryOptions(undefined, { enabled: isAdmin }));
  const problem = about.error ?? installation.error;
  const own = installation.data;
  return (
    <Section title="About" about="Belay is free software under the MIT licence.">
      {problem && <Failure message={problem.message} retry={() => void about.refetch()} />}
      {about.isPending && <Loading what="the version" />}
      {about.data && (
        <Facts
          facts={[
            ["Version", about.data.version],
            ["Address", <Path key="url">{about.data.url}</Path>],
            ["Workspace", <Path key="workspace">{about.data.workspace}</Path>],
            ...(own
              ? ([
                  ["Data folder", <Path key="data">{own.dataDir}</Path>],
                  ["Policy file", <Path key="policy">{own.securityFile}</Path>],
                  ["Recordings", <Path key="recordings">{own.recordingsDir}</Path>],
                  ["Trash", <Path key="trash">{own.trashDir}</Path>],
                  ["Node", own.node],
                  ["Running for", <Age key="up" at={own.upSince} />],
                ] as const)
              : []),
          ]}
        />
      )}
      {own?.licences && (
        <details className="mt-4">
          <summary className="cursor-pointer text-sm text-muted pointer-coarse:py-2.5">
            Made with {own.licences.length} other packages, and their licences
          </summary>
          <ScrollList
            label="Packages"
            className="mt-2 grid max-h-72 gap-x-6 gap-y-0.5 rounded-lg border border-line bg-sunken p-3 text-xs sm:grid-cols-2"
          >
            {own.licences.map(({ name, version, licence }) => (
              <li key={`${name}@${version}`} className="flex gap-2">
                <span className="min-w-0 flex-1 truncate font-mono">
                  {name} {version}
                </span>
                <span className="shrink-0 text-muted">{licence}</span>
              </li>
            ))}
          </ScrollList>
        </details>
      )}
    </Section>
  );
}
