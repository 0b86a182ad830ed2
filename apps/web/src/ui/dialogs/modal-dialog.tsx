"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { IconButton } from "../controls/icon-button.tsx";
import type { DialogProps } from "./dialog.tsx";

/** A dialog from the moment when it is first opened. */
export function ModalDialog({ title, isOpen, onClose, children, wide = false }: DialogProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Radix.Content
          aria-describedby={undefined}
          className={`fixed inset-x-0 bottom-0 z-50 max-h-[90dvh] overflow-y-auto rounded-t-2xl border border-line bg-raised p-5 shadow-2xl outline-none sm:inset-x-auto sm:top-[min(15vh,6rem)] sm:bottom-auto sm:max-h-[calc(100dvh-min(15vh,6rem)-1rem)] sm:left-1/2 sm:w-full sm:-translate-x-1/2 sm:rounded-xl ${wide ? "sm:max-w-2xl" : "sm:max-w-md"}`}
        >
          <div className="mb-3 flex items-center justify-between gap-4">
            <Radix.Title className="text-base font-semibold tracking-tight">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon={X} name="Close" className="-mr-2" />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
