import { type SelectHTMLAttributes, useId } from "react";

/** One of many, with the browser's native list. */
export function Select({
  label,
  hint,
  isLabelHidden = false,
  className = "mt-4",
  children,
  ...props
}: SelectHTMLAttributes<HTMLSelectElement> & {
  label: string;
  hint?: string | undefined;
  isLabelHidden?: boolean;
}) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "mb-1.5 block text-sm font-medium"}>
        {label}
      </label>
      <select
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="h-10 w-full rounded-md border border-edge bg-surface px-2.5 text-base pointer-coarse:h-11 sm:text-sm"
        {...props}
      >
        {children}
      </select>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
