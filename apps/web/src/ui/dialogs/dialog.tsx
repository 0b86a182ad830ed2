"use client";

import { type ReactNode, useEffect, useState } from "react";
import { later } from "../later/later.tsx";

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
}

const ModalDialog = later(() => import("./modal-dialog.tsx").then(({ ModalDialog }) => ModalDialog), {
  loading: (props: DialogProps) => props.isOpen && <Arriving {...props} />,
});

/** A modal dialog. Esc and a click outside close it. */
export function Dialog(props: DialogProps) {
  const [wasOpened, setWasOpened] = useState(props.isOpen);
  if (props.isOpen && !wasOpened) setWasOpened(true);
  return wasOpened && <ModalDialog {...props} />;
}

/** Until its code is loaded, the page is covered as by the dialog: clicks and shortcuts do not reach what is below. */
function Arriving({ title, onClose }: DialogProps) {
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => key === "Escape" && onClose();
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [onClose]);
  return <div role="dialog" aria-modal aria-busy aria-label={title} className="fixed inset-0 z-40 bg-black/50" />;
}
