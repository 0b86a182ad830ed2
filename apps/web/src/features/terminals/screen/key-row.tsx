"use client";

import { useState } from "react";
import type { LiveTerminal } from "./live-terminal.ts";

const KEYS = [
  { name: "Esc", keys: "\x1b" },
  { name: "Tab", keys: "\t" },
  { name: "←", label: "Left", keys: "\x1b[D" },
  { name: "↑", label: "Up", keys: "\x1b[A" },
  { name: "↓", label: "Down", keys: "\x1b[B" },
  { name: "→", label: "Right", keys: "\x1b[C" },
] as const;

/** The keys that a phone's keyboard does not have. */
export function KeyRow({ live }: { live: LiveTerminal }) {
  const [isCtrlHeld, setIsCtrlHeld] = useState(false);
  const look =
    "h-11 min-w-11 flex-1 rounded-md border border-line bg-raised font-mono text-sm aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent";
  // A press must not take the focus from the terminal, or the on-screen keyboard would close.
  const keepFocus = (event: { preventDefault(): void }) => event.preventDefault();
  return (
    <div
      role="toolbar"
      aria-label="Keys"
      className="hidden gap-1 border-t border-line bg-surface p-1 pointer-coarse:flex"
    >
      <button
        type="button"
        aria-pressed={isCtrlHeld}
        className={look}
        onPointerDown={keepFocus}
        onClick={() => {
          setIsCtrlHeld(true);
          live.holdCtrl(() => setIsCtrlHeld(false));
        }}
      >
        Ctrl
      </button>
      {KEYS.map(({ name, keys, ...more }) => (
        <button
          key={name}
          type="button"
          aria-label={"label" in more ? more.label : name}
          className={look}
          onPointerDown={keepFocus}
          onClick={() => live.press(keys)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
