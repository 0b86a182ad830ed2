import type { AppRouter } from "@belay/agent-gateway/router";
import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** For queries that carry a whole file. */
export const LARGE_INPUT = { context: { hasLargeInput: true } } as const;

export function createClient() {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink({ url: "/trpc" }),
        false: splitLink({
          // Inputs that are too long for a URL go into the body.
          condition: ({ context }) => context.hasLargeInput === true,
          true: httpLink({ url: "/trpc", methodOverride: "POST" }),
          false: splitLink({
            condition: ({ context }) => context.skipBatch === true,
            true: httpLink({ url: "/trpc" }),
            false: httpBatchLink({ url: "/trpc" }),
          }),
        }),
      }),
    ],
  });
}
