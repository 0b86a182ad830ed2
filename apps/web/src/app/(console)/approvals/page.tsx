import { Suspense } from "react";
import { ApprovalQueue } from "@/features/approvals/queue/approval-queue.tsx";
import { Loading } from "@/ui/loading.tsx";

export default function ApprovalsPage() {
  return (
    // Which one is looked at first is in the query, which an exported page only knows in the browser.
    <Suspense fallback={<Loading what="approvals" />}>
      <ApprovalQueue />
    </Suspense>
  );
}
