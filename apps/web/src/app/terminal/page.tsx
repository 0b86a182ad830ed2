import { Suspense } from "react";
import { Shell } from "@/features/shell/shell.tsx";
import { TerminalScreen } from "@/features/terminals/terminal-screen.tsx";
import { Loading } from "@/ui/loading.tsx";

export default function TerminalPage() {
  return (
    <Shell>
      {/* The id is in the query, which an exported page only knows in the browser. */}
      <Suspense fallback={<Loading what="the terminal" />}>
        <TerminalScreen />
      </Suspense>
    </Shell>
  );
}
