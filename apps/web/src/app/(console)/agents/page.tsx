import { Suspense } from "react";
import { AgentsPage } from "@/features/agents/agents-page.tsx";
import { Loading } from "@/ui/states/loading.tsx";

export default function Page() {
  return (
    // The query string holds the page's state, and a static export knows it only in the browser.
    <Suspense fallback={<Loading what="agents" />}>
      <AgentsPage />
    </Suspense>
  );
}
