import { Suspense } from "react";
import { PolicyPage } from "@/features/policy/policy-page.tsx";
import { Loading } from "@/ui/states/loading.tsx";

export default function Page() {
  return (
    <Suspense fallback={<Loading what="the policy" />}>
      <PolicyPage />
    </Suspense>
  );
}
