"use client";

import { useRouter } from "next/navigation";
import { type MouseEvent, useEffect, useState } from "react";

/**
 * While the gateway is down, a page cannot be loaded, and the browser would show its own error page
 * instead. So a click on a link is held back, and followed once the connection is back.
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
