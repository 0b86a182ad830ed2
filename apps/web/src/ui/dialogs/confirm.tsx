"use client";

import type { ReactNode } from "react";
import { Button } from "../controls/button.tsx";
import { ErrorMessage } from "../states/error-message.tsx";
import { Dialog } from "./dialog.tsx";

/** Asks before an irreversible action. Cancel has the focus. */
export function Confirm({
  title,
  verb,
  look = "danger",
  isOpen,
  isBusy = false,
  problem = null,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  verb: string;
  look?: "primary" | "danger";
  isOpen: boolean;
  isBusy?: boolean;
  problem?: string | null;
  onConfirm(): void;
  onClose(): void;
  children: ReactNode;
}) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <div className="grid gap-2 text-sm text-muted">{children}</div>
      <ErrorMessage className="mt-3">{problem}</ErrorMessage>
      <div className="mt-5 flex flex-row-reverse flex-wrap gap-2">
        <Button look={look} disabled={isBusy} onClick={onConfirm}>
          {verb}
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
