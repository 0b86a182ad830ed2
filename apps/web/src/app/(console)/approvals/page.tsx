import { Suspense } from "react";
import { ApprovalQueue } from "@/features/approvals/queue/approval-queue.tsx";
import { Loading } from "@/ui/states/loading.tsx";

export default function ApprovalsPage() {
  return (
    // The query string holds the selected approval, and a static export knows it only in the browser.
    <Suspense fallback={<Loading what="approvals" />}>
      <ApprovalQueue />
    </Suspense>
  );
}
