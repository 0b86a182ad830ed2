import { Link } from "@/ui/controls/link.tsx";

interface Bar {
  key: string;
  name: string;
  value: number;
  note: string;
  href: string;
}

/** Named numbers as bars, each linking to its rows. */
export function BarList({ bars, empty }: { bars: readonly Bar[]; empty: string }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  if (bars.length === 0) return <p className="text-sm text-muted">{empty}</p>;
  return (
    <ul className="grid gap-2.5">
      {bars.map(({ key, name, value, note, href }) => (
        <li key={key}>
          <Link href={href} className="group block text-sm">
            <span className="flex items-baseline justify-between gap-3">
              <span className="truncate group-hover:underline">{name}</span>
              <span className="shrink-0 text-xs text-muted tabular-nums">{note}</span>
            </span>
            <span className="mt-1 block h-1.5 rounded-full bg-sunken">
              <span className="block h-full rounded-full bg-accent" style={{ width: `${(value / most) * 100}%` }} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
