import { Suspense } from "react";
import { ClientSessions } from "@/features/clients/client-sessions.tsx";
import { Loading } from "@/ui/loading.tsx";

export default function ClientsPage() {
  return (
    // Which conversation is looked at is in the query, which an exported page only knows in the browser.
    <Suspense fallback={<Loading what="clients" />}>
      <ClientSessions />
    </Suspense>
  );
}
