import { ApprovalQueue } from "@/features/approvals/approval-queue.tsx";
import { Shell } from "@/features/shell/shell.tsx";

export default function ApprovalsPage() {
  return (
    <Shell>
      <ApprovalQueue />
    </Shell>
  );
}
