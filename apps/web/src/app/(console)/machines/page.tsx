import { Suspense } from "react";
import { MachinesPage } from "@/features/machines/machines-page.tsx";
import { Loading } from "@/ui/states/loading.tsx";

export default function Machines() {
  return (
    // The query string holds the selected machine, and a static export knows it only in the browser.
    <Suspense fallback={<Loading what="machines" />}>
      <MachinesPage />
    </Suspense>
  );
}
