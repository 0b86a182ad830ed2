import { Suspense } from "react";
import { AuditPage } from "@/features/audit/audit-page.tsx";
import { Loading } from "@/ui/states/loading.tsx";

export default function Page() {
  return (
    // The query string holds the search, and a static export knows it only in the browser.
    <Suspense fallback={<Loading what="the record" />}>
      <AuditPage />
    </Suspense>
  );
}
