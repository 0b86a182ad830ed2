import { Suspense } from "react";
import { TerminalOverview } from "@/features/terminals/overview/terminal-overview.tsx";
import { Loading } from "@/ui/states/loading.tsx";

export default function TerminalsPage() {
  return (
    <Suspense fallback={<Loading what="terminals" />}>
      <TerminalOverview />
    </Suspense>
  );
}
