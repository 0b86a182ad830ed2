"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { Badge } from "@/ui/badge.tsx";

/** The identity provider for sign-in without a password, and whether it responds. */
export function IdentityProviderStatus() {
  const provider = useQuery(useTRPC().people.provider.queryOptions());
  return (
    <section className="mt-6 mb-2 text-sm" aria-labelledby="provider">
      <h2 id="provider" className="mb-2 font-medium">
        Identity provider
      </h2>
      {provider.error && <p className="text-danger">{provider.error.message}</p>}
      {provider.data === null && (
        <p className="text-muted">
          None: people sign in with an address and a password. The environment of the gateway names one (
          <code className="font-mono text-xs">BELAY_OIDC_ISSUER</code>).
        </p>
      )}
      {provider.data && (
        <p className="flex flex-wrap items-center gap-2">
          {provider.data.name}
          <code className="font-mono text-xs break-all text-muted">{provider.data.issuer}</code>
          <Badge tone={provider.data.isReachable ? "accent" : "danger"}>
            {provider.data.isReachable ? "answers" : "does not answer"}
          </Badge>
          <span className="text-muted">
            {provider.data.newRole === null
              ? "Only people who were added here can use it."
              : `People who sign in with it for the first time become ${provider.data.newRole}.`}
          </span>
        </p>
      )}
    </section>
  );
}
