import { Suspense } from "react";
import { TerminalPage } from "@/features/terminals/terminal-page.tsx";
import { Loading } from "@/ui/states/loading.tsx";

export default function Page() {
  return (
    // The query string holds the ids, and a static export knows it only in the browser.
    <Suspense fallback={<Loading what="the terminal" />}>
      <TerminalPage />
    </Suspense>
  );
}
