import type { AppRouter } from "@belay/agent-gateway/router";
import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export function createClient() {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink({ url: "/trpc" }),
        false: splitLink({
          condition: ({ context }) => context.skipBatch === true,
          true: httpLink({ url: "/trpc" }),
          false: httpBatchLink({ url: "/trpc" }),
        }),
      }),
    ],
  });
}
