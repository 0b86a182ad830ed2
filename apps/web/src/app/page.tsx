import { Shell } from "@/features/shell/shell.tsx";
import { TerminalList } from "@/features/terminals/terminal-list.tsx";

export default function TerminalsPage() {
  return (
    <Shell>
      <TerminalList />
    </Shell>
  );
}
