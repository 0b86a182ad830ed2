"use client";

import { useId } from "react";

/** A switch that takes effect at once. */
export function Switch({
  label,
  hint,
  isLabelHidden = false,
  isOn,
  onChange,
}: {
  label: string;
  hint?: string;
  isLabelHidden?: boolean;
  isOn: boolean;
  onChange(isOn: boolean): void;
}) {
  const id = useId();
  return (
    <div className="flex items-center gap-4">
      <span className={isLabelHidden ? "sr-only" : "flex-1"}>
        <span id={id} className="block text-sm font-medium">
          {label}
        </span>
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </span>
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-labelledby={id}
        onClick={() => onChange(!isOn)}
        className={`relative h-6 w-11 shrink-0 cursor-pointer rounded-full border transition-colors ${isOn ? "border-accent bg-accent" : "border-edge bg-sunken"}`}
      >
        <span
          className={`absolute top-0.5 left-0.5 size-[1.125rem] rounded-full transition-transform ${isOn ? "translate-x-5 bg-on-accent" : "bg-edge"}`}
        />
      </button>
    </div>
  );
}
