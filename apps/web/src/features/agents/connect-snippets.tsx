"use client";

import dynamic from "next/dynamic";
import { untilLoaded } from "@/ui/states/until-loaded.ts";

/** Loaded when it is shown: it brings the validator of the clients' names, which no list needs. */
export const ConnectSnippets = dynamic(
  untilLoaded(() => import("./client-snippets.tsx").then(({ ClientSnippets }) => ClientSnippets)),
  { ssr: false, loading: () => <p className="text-sm text-muted">Loading the snippets …</p> },
);
