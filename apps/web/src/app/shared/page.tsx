import { SharedTerminal } from "@/features/terminals/shared-terminal.tsx";

export default function SharedPage() {
  return <SharedTerminal />;
}
