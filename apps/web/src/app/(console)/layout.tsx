import type { ReactNode } from "react";
import { Frame } from "@/features/frame/frame.tsx";
import { LoadEarly } from "@/features/terminals/load-early.tsx";

/** The first request of the frame, exactly as the client writes it: the answer is used for no other. */
const ME_REQUEST = "/trpc/gateway.me?batch=1&input=%7B%7D";

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <>
      {/* Nothing can be shown before this answer, so the browser fetches it together with the scripts. */}
      <link rel="preload" as="fetch" href={ME_REQUEST} crossOrigin="anonymous" />
      <LoadEarly />
      <Frame>{children}</Frame>
    </>
  );
}
