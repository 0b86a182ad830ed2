"use client";

import { loadXterm } from "./screen/load-xterm.ts";

// On a terminal's page xterm.js starts loading at once, and not only when the frame knows who has signed in.
// Opening the terminal reports a failure.
if (typeof window !== "undefined" && window.location.pathname === "/terminal") void loadXterm().catch(() => {});

/** Renders nothing: it only has to be loaded with the frame. */
export function LoadEarly() {
  return null;
}
