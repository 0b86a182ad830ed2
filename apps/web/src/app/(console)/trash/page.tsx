import { Suspense } from "react";
import { TrashPage } from "@/features/trash/trash-page.tsx";
import { Loading } from "@/ui/states/loading.tsx";

export default function Page() {
  return (
    // The query string holds the page's state, and a static export knows it only in the browser.
    <Suspense fallback={<Loading what="the trash" />}>
      <TrashPage />
    </Suspense>
  );
}
