"use client";

import { useRouter } from "next/navigation";
import { type MouseEvent, useEffect, useState } from "react";

/**
 * While the gateway does not answer, a page could not be loaded, and the browser would show an error of its own in
 * place of this one. So a press on a link is kept, and followed when the connection is back.
 */
export function useHeldNavigation(isConnected: boolean) {
  const router = useRouter();
  const [held, setHeld] = useState<string | null>(null);
  useEffect(() => {
    if (!isConnected || held === null) return;
    setHeld(null);
    router.push(held);
  }, [isConnected, held, router]);
  return {
    isHolding: held !== null,
    onClickCapture: (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (isConnected || !link || link.origin !== window.location.origin || link.hash !== "") return;
      event.preventDefault();
      event.stopPropagation();
      setHeld(link.pathname + link.search);
    },
  };
}
