import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, Ref } from "react";

/** A button with only an icon; its name is for screen readers and the tooltip. */
export function IconButton({
  icon: Icon,
  name,
  className = "",
  ...props
}: ButtonHTMLAttributes<HTMLButtonElement> & { icon: LucideIcon; name: string; ref?: Ref<HTMLButtonElement> }) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      className={`inline-flex size-9 shrink-0 pointer-coarse:size-11 cursor-pointer items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink disabled:cursor-default disabled:opacity-50 aria-pressed:bg-accent-soft aria-pressed:text-accent ${className}`}
      {...props}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
