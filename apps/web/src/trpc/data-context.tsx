"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { type ReactNode, useState } from "react";
import { createClient, TRPCProvider } from "./client.ts";

export function DataContext({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, retry } } }));
  const [trpcClient] = useState(createClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

/** Once, unless the gateway has refused: it would refuse again, and the person would wait for its reason. */
function retry(failures: number, error: Error): boolean {
  const status: unknown = error instanceof TRPCClientError ? error.data?.httpStatus : undefined;
  const isRefused = typeof status === "number" && status >= 400 && status < 500;
  return failures < 1 && !isRefused;
}
