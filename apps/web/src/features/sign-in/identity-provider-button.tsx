"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { signInAtIdentityProvider } from "./auth-api.ts";

/** Sign-in with an identity provider, if one is configured. */
export function IdentityProviderButton({ next }: { next: string }) {
  const trpc = useTRPC();
  const { data: options } = useQuery(trpc.people.signInOptions.queryOptions());
  const leave = useMutation({ mutationFn: () => signInAtIdentityProvider(next) });
  if (!options?.provider) return null;
  return (
    <div className="mt-4 border-t border-line pt-4">
      <Button look="quiet" className="w-full" disabled={leave.isPending} onClick={() => leave.mutate()}>
        Sign in with {options.provider}
      </Button>
      <ErrorMessage className="mt-4">{leave.error?.message}</ErrorMessage>
    </div>
  );
}
