"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { Page } from "../pages.ts";
import { isTyping } from "./use-shortcuts.ts";

/** How long the second key may take. */
const SECOND_KEY_MS = 1_500;

/**
 * `g` and then a page's own key opens that page. Returns whether the second key is awaited.
 *
 * It handles keys before the page does and swallows the second one: `g a` on the approvals page must not answer one.
 */
export function useGoKeys(pages: readonly Page[]): { isWaiting: boolean } {
  const router = useRouter();
  const [isWaiting, setIsWaiting] = useState(false);
  const latest = useRef(pages);
  latest.current = pages;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function stopWaiting() {
      clearTimeout(timer);
      timer = undefined;
      setIsWaiting(false);
    }
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === "Shift") return;
      const isPlain = !event.repeat && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (timer !== undefined) {
        stopWaiting();
        event.preventDefault();
        event.stopImmediatePropagation();
        const page = isPlain ? latest.current.find(({ key }) => key === event.key) : undefined;
        if (page) router.push(page.href);
        return;
      }
      if (event.key !== "g" || !isPlain || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector("[role=dialog], [role=menu]")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      timer = setTimeout(stopWaiting, SECOND_KEY_MS);
      setIsWaiting(true);
    }
    window.addEventListener("keydown", onKeyDown, { capture: true });
    window.addEventListener("blur", stopWaiting);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", onKeyDown, { capture: true });
      window.removeEventListener("blur", stopWaiting);
    };
  }, [router]);
  return { isWaiting };
}
