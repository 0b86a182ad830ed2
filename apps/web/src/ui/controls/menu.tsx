"use client";

import type { LucideIcon } from "lucide-react";
import {
  type ButtonHTMLAttributes,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useState,
} from "react";
import { later } from "../later/later.tsx";

export interface MenuItem {
  name: string;
  icon: LucideIcon;
  onSelect(): void;
  isDanger?: boolean;
}

export interface MenuProps {
  trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  items: MenuItem[];
  header?: ReactNode;
}

const OpenedMenu = later(() => import("./opened-menu.tsx").then(({ OpenedMenu }) => OpenedMenu), {
  loading: ({ trigger }) =>
    cloneElement(trigger, { "aria-haspopup": "menu", "aria-expanded": true, "aria-busy": true }),
});

/** A menu of actions behind one button. Until it is first opened there is only the button: the menu is loaded later. */
export function Menu(props: MenuProps) {
  const [openedBy, setOpenedBy] = useState<"pointer" | "key" | null>(null);
  if (openedBy) return <OpenedMenu {...props} isOpenedByKey={openedBy === "key"} />;
  return cloneElement(props.trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: OpenedMenu.load,
    onFocus: OpenedMenu.load,
    onPointerDown: (event) => {
      if (event.button !== 0 || event.ctrlKey) return;
      // The menu takes the focus, the button must not.
      event.preventDefault();
      setOpenedBy("pointer");
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (!OPENING_KEYS.has(event.key)) return;
      event.preventDefault();
      setOpenedBy("key");
    },
    // Assistive technology presses a button without a pointer or a key.
    onClick: () => setOpenedBy("key"),
  });
}

const OPENING_KEYS: ReadonlySet<string> = new Set(["Enter", " ", "ArrowDown"]);
