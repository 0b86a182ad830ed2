import type { ButtonHTMLAttributes } from "react";

const looks = {
  primary: "bg-accent text-on-accent hover:opacity-90",
  quiet: "border border-line bg-raised text-ink hover:bg-sunken",
} as const;

export function Button({
  look = "primary",
  className = "",
  ...props
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: keyof typeof looks }) {
  const base =
    "inline-flex h-10 cursor-pointer items-center justify-center rounded-md px-4 text-sm font-medium transition disabled:cursor-default disabled:opacity-50";
  return <button type="button" className={`${base} ${looks[look]} ${className}`} {...props} />;
}
