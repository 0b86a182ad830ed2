import { type InputHTMLAttributes, type Ref, useId } from "react";

export function Field({
  label,
  hint,
  className = "mt-4",
  ...props
}: InputHTMLAttributes<HTMLInputElement> & { label: string; hint?: string; ref?: Ref<HTMLInputElement> }) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="h-10 w-full pointer-coarse:h-11 rounded-md border border-edge bg-surface px-3 text-base sm:text-sm"
        {...props}
      />
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
