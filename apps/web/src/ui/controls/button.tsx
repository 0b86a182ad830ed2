import type { ButtonHTMLAttributes, Ref } from "react";

const looks = {
  primary: "bg-accent text-on-accent hover:brightness-110",
  quiet: "border border-line bg-raised text-ink hover:bg-sunken",
  plain: "text-muted hover:bg-sunken hover:text-ink",
  danger: "bg-danger text-on-danger hover:brightness-110",
  "danger-quiet": "border border-danger text-danger hover:bg-danger-soft",
} as const;

const sizes = { normal: "h-10 px-4 pointer-coarse:h-11", small: "h-8 px-2.5 pointer-coarse:h-11" } as const;

/** 40 px high, and 44 px on touch screens; `small` for mice where space is short. */
export function Button({
  look = "primary",
  size = "normal",
  className = "",
  ...props
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: keyof typeof looks;
  size?: keyof typeof sizes;
  ref?: Ref<HTMLButtonElement>;
}) {
  const base =
    "inline-flex cursor-pointer items-center justify-center gap-2 rounded-md text-sm font-medium whitespace-nowrap transition-[filter,background-color] disabled:cursor-default disabled:opacity-50 disabled:hover:brightness-100";
  return <button type="button" className={`${base} ${sizes[size]} ${looks[look]} ${className}`} {...props} />;
}
