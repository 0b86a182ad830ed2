import { Suspense } from "react";
import { ReplaysPage } from "@/features/replay/replays-page.tsx";
import { Loading } from "@/ui/loading.tsx";

export default function Page() {
  return (
    // What is shown is in the query, which an exported page only knows in the browser.
    <Suspense fallback={<Loading what="recordings" />}>
      <ReplaysPage />
    </Suspense>
  );
}
