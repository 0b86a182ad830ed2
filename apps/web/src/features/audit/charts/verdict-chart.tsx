import type { Charts } from "@belay/agent-gateway/router";

const SERIES = [
  { key: "allow", name: "allowed", fill: "fill-accent", dot: "bg-accent" },
  { key: "ask", name: "needed a person", fill: "fill-attention", dot: "bg-attention" },
  { key: "deny", name: "forbidden", fill: "fill-danger", dot: "bg-danger" },
] as const;

const HEIGHT = 120;
const GAP = 0.15;

/** Stacked bars over time. A table has the same numbers for screen readers. */
export function VerdictChart({ stepMs, steps }: Charts["verdicts"]) {
  const totals = steps.map(({ allow, ask, deny }) => allow + ask + deny);
  const most = Math.max(1, ...totals);
  const sum = (key: (typeof SERIES)[number]["key"]) => steps.reduce((total, step) => total + step[key], 0);
  if (totals.every((total) => total === 0)) return <p className="text-sm text-muted">No commands in this time.</p>;
  return (
    <figure>
      <svg
        aria-hidden
        viewBox={`0 0 ${steps.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-36 w-full overflow-visible"
      >
        {steps.map((step, index) => {
          let top = HEIGHT;
          return SERIES.map(({ key, name, fill }) => {
            const height = (step[key] / most) * HEIGHT;
            top -= height;
            if (height === 0) return null;
            return (
              <rect
                key={`${step.at}-${key}`}
                x={index + GAP / 2}
                y={top}
                width={1 - GAP}
                height={height}
                className={fill}
              >
                <title>{`${formatStep(step.at, stepMs)}: ${step[key]} ${name}`}</title>
              </rect>
            );
          });
        })}
      </svg>
      <div aria-hidden className="mt-1 flex justify-between text-2xs text-muted tabular-nums">
        <span>{formatStep(steps[0]?.at ?? 0, stepMs)}</span>
        <span>most: {most.toLocaleString()}</span>
        <span>{formatStep(steps.at(-1)?.at ?? 0, stepMs)}</span>
      </div>
      <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {SERIES.map(({ key, name, dot }) => (
          <span key={key} className="flex items-center gap-2">
            <span aria-hidden className={`size-2 rounded-full ${dot}`} />
            <span className="tabular-nums">{sum(key).toLocaleString()}</span>
            <span className="text-muted">{name}</span>
          </span>
        ))}
      </figcaption>
      <table className="sr-only">
        <caption>Commands by verdict over time</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {SERIES.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps
            .filter((_, index) => totals[index] !== 0)
            .map((step) => (
              <tr key={step.at}>
                <th scope="row">{formatStep(step.at, stepMs)}</th>
                {SERIES.map(({ key }) => (
                  <td key={key}>{step[key]}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  );
}

const DAY_MS = 24 * 3_600_000;

function formatStep(at: number, stepMs: number): string {
  return stepMs >= DAY_MS
    ? new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short" })
    : new Date(at).toLocaleString(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}
