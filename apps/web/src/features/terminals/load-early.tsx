"use client";

import { firstScreen } from "@/ui/later/first-screen.ts";
import { openEarlySocket } from "./screen/early-socket.ts";
import { XtermLater } from "./screen/xterm-later.tsx";
import { idsInAddress } from "./terminal-id.ts";

/** Says that the page is there, and waits for its terminals by itself: the frame may be drawn before its code is loaded. */
export let onTerminalPage: () => void = () => {};

// On a terminal's page xterm.js and the terminal's screen start loading at once, and not only when the frame knows who
// has signed in: the gateway checks that by itself.
if (typeof window !== "undefined" && window.location.pathname === "/terminal") {
  onTerminalPage = firstScreen.hold();
  XtermLater.load();
  idsInAddress(new URLSearchParams(window.location.search)).forEach(openEarlySocket);
}

/** Renders nothing: it only has to be loaded with the frame. */
export function LoadEarly() {
  return null;
}
