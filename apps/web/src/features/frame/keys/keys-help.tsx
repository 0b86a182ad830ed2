"use client";

import { usePathname } from "next/navigation";
import { useSyncExternalStore } from "react";
import { Kbd } from "@/ui/controls/kbd.tsx";
import { Dialog } from "@/ui/dialogs/dialog.tsx";
import type { Page } from "../pages.ts";
import { type KeyLine, keysEverywhere, keysOf } from "./page-keys.ts";
import { useIsMac } from "./use-is-mac.ts";
import { useShortcuts } from "./use-shortcuts.ts";

let isOpen = false;
const listeners = new Set<() => void>();

/** Shows the keys of this page. */
export function showKeys(): void {
  setOpen(true);
}

/** The dialog behind `?`; once, in the frame of the page. */
export function KeysHelp({ pages }: { pages: readonly Page[] }) {
  const path = usePathname();
  const isMac = useIsMac();
  const isShown = useSyncExternalStore(
    subscribe,
    () => isOpen,
    () => false,
  );
  useShortcuts({ "?": showKeys });
  const here = keysOf(path);
  return (
    <Dialog title="Keys" isOpen={isShown} onClose={() => setOpen(false)}>
      {here.length > 0 && <Keys title="On this page" lines={here} />}
      {path === "/approvals" && (
        <p className="mt-3 text-sm text-muted">
          Keys answer after a click into this page, or a moment after j or k. Right after a new question appears they
          are disabled briefly, so that none answers it by mistake.
        </p>
      )}
      <Keys title="Everywhere" lines={keysEverywhere(isMac)} />
      <Keys title="Pages" lines={pages.map(({ key, name }) => [["g", key], name])} isDense />
    </Dialog>
  );
}

function Keys({ title, lines, isDense }: { title: string; lines: readonly KeyLine[]; isDense?: true }) {
  return (
    <section className="mt-5 first:mt-0">
      <h3 className="mb-2 text-sm font-medium">{title}</h3>
      <dl
        className={`grid items-center gap-x-4 gap-y-2 text-sm ${isDense ? "grid-cols-[auto_1fr_auto_1fr]" : "grid-cols-[auto_1fr]"}`}
      >
        {lines.map(([keys, does]) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function setOpen(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
