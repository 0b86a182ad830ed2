import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { toast } from "@/ui/states/toast.tsx";

/** Freezes agents, and names the gateways that did not confirm it. */
export function useFreeze() {
  return useMutation(
    useTRPC().gateway.freeze.mutationOptions({
      onError: ({ message }) => toast(message),
      onSuccess: ({ notReached }) => {
        if (notReached.length > 0)
          toast(`Frozen, but not confirmed by ${notReached.join(", ")}. Look at that gateway.`);
      },
    }),
  );
}
