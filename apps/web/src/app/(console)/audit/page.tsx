import { Suspense } from "react";
import { AuditPage } from "@/features/audit/audit-page.tsx";
import { Loading } from "@/ui/loading.tsx";

export default function Page() {
  return (
    // The query is in the address, which an exported page only knows in the browser.
    <Suspense fallback={<Loading what="the record" />}>
      <AuditPage />
    </Suspense>
  );
}
