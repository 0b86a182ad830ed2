"use client";

import { useId } from "react";

export interface Choice<Value extends string> {
  value: Value;
  label: string;
  isDisabled?: boolean;
  /** How many items it would show. */
  count?: number;
}

/** One of a few, all visible. Radio buttons underneath, so arrow keys work and a screen reader counts them. */
export function Choices<Value extends string>({
  legend,
  choices,
  value,
  onChange,
  isLegendHidden = false,
}: {
  legend: string;
  choices: readonly Choice<NoInfer<Value>>[];
  value: Value;
  onChange(value: NoInfer<Value>): void;
  isLegendHidden?: boolean;
}) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className={isLegendHidden ? "sr-only" : "mb-1.5 text-xs font-medium text-muted"}>{legend}</legend>
      <div className="inline-flex max-w-full flex-wrap gap-0.5 rounded-lg bg-sunken p-0.5">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={`rounded-md px-2.5 py-1 text-sm pointer-coarse:py-2.5 whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-accent ${
              choice.value === value ? "bg-raised font-medium text-ink shadow-sm" : "text-muted hover:text-ink"
            } ${choice.isDisabled ? "opacity-50" : "cursor-pointer"}`}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={choice.value === value}
              disabled={choice.isDisabled}
              onChange={() => onChange(choice.value)}
            />
            {choice.label}
            {choice.count !== undefined && (
              <span className="ml-1.5 text-xs text-muted tabular-nums">{choice.count}</span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
