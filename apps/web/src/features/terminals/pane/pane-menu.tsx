"use client";

import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { useMutation } from "@tanstack/react-query";
import { Accessibility, Columns2, Copy, Download, Ellipsis, Link2, OctagonX } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { IconButton } from "@/ui/controls/icon-button.tsx";
import { Menu, type MenuItem } from "@/ui/controls/menu.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { later } from "@/ui/later/later.tsx";
import { toast } from "@/ui/states/toast.tsx";
import type { LiveTerminal } from "../screen/live-terminal.ts";

const ShareDialog = later(() => import("./share-dialog.tsx").then(({ ShareDialog }) => ShareDialog));
const AddPaneDialog = later(() => import("./add-pane-dialog.tsx").then(({ AddPaneDialog }) => AddPaneDialog));

interface Props {
  id: TerminalId;
  terminal: { info: TerminalInfo } | null;
  live: LiveTerminal | null;
  shown: readonly TerminalId[];
  canAdd: boolean;
  isRunning: boolean;
  canOperate: boolean;
  isForScreenReader: boolean;
  onAdd(id: TerminalId): void;
  onScreenReader(): void;
}

/** Less frequent actions on a terminal. */
export function PaneMenu(props: Props) {
  const { id, live, canOperate, isRunning } = props;
  const [open, setOpen] = useState<"share" | "beside" | "end" | null>(null);
  const end = useMutation(useTRPC().terminals.kill.mutationOptions({ onSuccess: () => setOpen(null) }));
  const items: MenuItem[] = [
    { name: "Copy the text", icon: Copy, onSelect: () => void copy(live) },
    { name: "Download the recording", icon: Download, onSelect: () => download(id) },
    ...(props.canAdd ? [{ name: "Open another beside it", icon: Columns2, onSelect: () => setOpen("beside") }] : []),
    ...(canOperate ? [{ name: "Share a read-only link", icon: Link2, onSelect: () => setOpen("share") }] : []),
    {
      name: props.isForScreenReader ? "Screen reader mode off" : "Screen reader mode on",
      icon: Accessibility,
      onSelect: props.onScreenReader,
    },
    ...(canOperate && isRunning
      ? [{ name: "End the terminal", icon: OctagonX, isDanger: true, onSelect: () => setOpen("end") }]
      : []),
  ];
  const close = () => setOpen(null);
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} name="More" />} items={items} />
      {open === "share" && <ShareDialog id={id} onClose={close} />}
      {open === "beside" && <AddPaneDialog shown={props.shown} onClose={close} onAdd={props.onAdd} />}
      <Confirm
        title="End this terminal?"
        verb="End it"
        isOpen={open === "end"}
        isBusy={end.isPending}
        problem={end.error?.message ?? null}
        onConfirm={() => end.mutate({ id })}
        onClose={close}
      >
        <p>Everything that runs in it is ended too. Its recording stays.</p>
      </Confirm>
    </>
  );
}

async function copy(live: LiveTerminal | null): Promise<void> {
  if (!live) return;
  try {
    await navigator.clipboard.writeText(live.text());
    toast("Copied.");
  } catch {
    toast("The browser did not allow copying.");
  }
}

function download(id: TerminalId): void {
  const link = document.createElement("a");
  link.href = `/api/recordings/${id}.cast`;
  link.download = `${id}.cast`;
  link.click();
}
