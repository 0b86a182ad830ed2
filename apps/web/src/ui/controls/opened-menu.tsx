"use client";

import { DropdownMenu } from "radix-ui";
import { useRef } from "react";
import type { MenuProps } from "./menu.tsx";

/** A menu from the moment when it is first opened. */
export function OpenedMenu({ trigger, items, header, isOpenedByKey }: MenuProps & { isOpenedByKey: boolean }) {
  // The menu notices only keys that are pressed while it is there, not the one that opened it for the first time.
  const isFirstItemDue = useRef(isOpenedByKey);
  return (
    <DropdownMenu.Root defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-48 rounded-lg border border-line bg-raised p-1 shadow-xl"
          onFocus={({ currentTarget }) => {
            if (!isFirstItemDue.current) return;
            isFirstItemDue.current = false;
            currentTarget.querySelector<HTMLElement>("[role=menuitem]")?.focus();
          }}
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
