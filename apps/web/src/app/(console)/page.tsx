import { TerminalOverview } from "@/features/terminals/terminal-overview.tsx";

export default function TerminalsPage() {
  return <TerminalOverview />;
}
