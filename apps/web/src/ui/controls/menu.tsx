"use client";

import type { LucideIcon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

export interface MenuItem {
  name: string;
  icon: LucideIcon;
  onSelect(): void;
  isDanger?: boolean;
}

/** A menu of actions behind one button. */
export function Menu({ trigger, items, header }: { trigger: ReactNode; items: MenuItem[]; header?: ReactNode }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-48 rounded-lg border border-line bg-raised p-1 shadow-xl"
        >
          {header && <div className="border-b border-line px-3 pt-1.5 pb-2 text-sm">{header}</div>}
          {items.map(({ name, icon: Icon, onSelect, isDanger }) => (
            <DropdownMenu.Item
              key={name}
              onSelect={onSelect}
              className={`flex h-9 pointer-coarse:h-11 cursor-pointer items-center gap-2.5 rounded-md px-3 text-sm outline-none data-highlighted:bg-sunken ${isDanger ? "text-danger" : ""}`}
            >
              <Icon aria-hidden className="size-4 opacity-80" />
              {name}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
