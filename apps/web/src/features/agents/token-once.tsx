import { Copyable } from "@/ui/controls/copyable.tsx";
import { ConnectSnippets } from "./connect-snippets.tsx";
import { FirstCall } from "./first-call.tsx";

/** A token, which is shown only once, and how to use it. */
export function TokenOnce({ agentId, token }: { agentId: string; token: string }) {
  return (
    <>
      <p className="text-sm text-muted">Its token. Copy it now: it is not shown again.</p>
      <Copyable label="the token" text={token} />
      <h3 className="mt-5 mb-2 text-sm font-medium">Connect its client</h3>
      <ConnectSnippets token={token} />
      <FirstCall agentId={agentId} />
    </>
  );
}
