import { Suspense } from "react";
import { ClientConversations } from "@/features/clients/client-conversations.tsx";
import { Loading } from "@/ui/states/loading.tsx";

export default function ClientsPage() {
  return (
    // The query string holds the selected conversation, and a static export knows it only in the browser.
    <Suspense fallback={<Loading what="clients" />}>
      <ClientConversations />
    </Suspense>
  );
}
