import type { ReactNode } from "react";
import { Frame } from "@/features/frame/frame.tsx";

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return <Frame>{children}</Frame>;
}
