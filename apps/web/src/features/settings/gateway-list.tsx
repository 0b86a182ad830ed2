import type { GatewayView } from "@belay/agent-gateway/router";

/** The gateways that share the database: since when they run, their versions, and which of them judges nothing. */
export function GatewayList({ gateways }: { gateways: GatewayView[] }) {
  const versions = new Set(gateways.map(({ version }) => version));
  return (
    <ul aria-label="Gateways" className="mt-4 grid gap-2 border-t border-line pt-3 text-sm">
      {gateways.map(({ id, name, version, startedAt, problem, isThis }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">{name}</span>
          {isThis && <span className="text-muted">answers you</span>}
          <span className={versions.size > 1 ? "text-attention" : "text-muted"}>Belay {version}</span>
          <span className="text-muted">since {new Date(startedAt).toLocaleString()}</span>
          {problem !== null && <span className="text-danger">{problem}</span>}
        </li>
      ))}
    </ul>
  );
}
