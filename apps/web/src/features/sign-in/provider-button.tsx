"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { signInAtProvider } from "./auth-api.ts";

/** Sign-in with a provider, if one is configured. */
export function ProviderButton({ next }: { next: string }) {
  const trpc = useTRPC();
  const { data: options } = useQuery(trpc.people.signInOptions.queryOptions());
  const leave = useMutation({ mutationFn: () => signInAtProvider(next) });
  if (!options?.provider) return null;
  return (
    <div className="mt-4 border-t border-line pt-4">
      <Button look="quiet" className="w-full" disabled={leave.isPending} onClick={() => leave.mutate()}>
        Sign in with {options.provider}
      </Button>
      {leave.error && (
        <p role="alert" className="mt-4 text-sm text-danger">
          {leave.error.message}
        </p>
      )}
    </div>
  );
}
