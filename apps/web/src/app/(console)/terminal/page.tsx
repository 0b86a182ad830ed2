import { Suspense } from "react";
import { TerminalPage } from "@/features/terminals/terminal-page.tsx";
import { Loading } from "@/ui/loading.tsx";

export default function Page() {
  return (
    // The ids are in the query, which an exported page only knows in the browser.
    <Suspense fallback={<Loading what="the terminal" />}>
      <TerminalPage />
    </Suspense>
  );
}
