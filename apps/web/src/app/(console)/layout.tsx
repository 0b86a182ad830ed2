import type { ReactNode } from "react";
import { Frame } from "@/features/frame/frame.tsx";
import { LoadEarly } from "@/features/terminals/load-early.tsx";

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <LoadEarly />
      <Frame>{children}</Frame>
    </>
  );
}
