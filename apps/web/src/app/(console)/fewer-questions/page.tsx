import { Suspense } from "react";
import { FewerQuestionsPage } from "@/features/fewer-questions/fewer-questions-page.tsx";
import { Loading } from "@/ui/states/loading.tsx";

export default function Page() {
  return (
    <Suspense fallback={<Loading what="suggestions" />}>
      <FewerQuestionsPage />
    </Suspense>
  );
}
