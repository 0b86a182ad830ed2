import type { Layer, RuleMatch, Verdict } from "@belay/protocol";

/** In the order in which they are checked. */
const LAYERS: readonly { layer: Layer; name: string }[] = [
  { layer: "profile", name: "Profile" },
  { layer: "hard-block", name: "Hard blocks" },
  { layer: "security-file", name: "Policy file" },
  { layer: "approval", name: "Approval patterns" },
  { layer: "level", name: "Level" },
  { layer: "wall", name: "Wall" },
];

const COLOURS = { allow: "text-accent", ask: "text-attention", deny: "text-danger" } as const;

/** Every layer that judged a command, what each found, and the one that decided. */
export function Layers({ verdict }: { verdict: Pick<Verdict, "matches" | "layer" | "decision"> }) {
  const deciding = verdict.matches[0];
  return (
    <ol aria-label="Layers, in order" className="grid gap-1.5">
      {LAYERS.map(({ layer, name }) => {
        const found = verdict.matches.filter((match) => match.layer === layer);
        return (
          <li key={layer} className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3 text-sm">
            <span className={found.length > 0 ? "font-medium" : "text-muted"}>{name}</span>
            {found.length === 0 ? (
              <span className="text-muted">{verdict.layer === layer && !deciding ? "nothing objects" : "passed"}</span>
            ) : (
              <ul className="grid gap-1">
                {found.map((match, index) => (
                  // Keyed by position: matches never move.
                  <Match key={index} match={match} isDeciding={match === deciding} />
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Match({ match: { decision, reason, rule }, isDeciding }: { match: RuleMatch; isDeciding: boolean }) {
  return (
    <li>
      <span className={`font-medium ${COLOURS[decision]}`}>{decision}</span> {reason}{" "}
      <code className="font-mono text-xs break-all text-muted">{rule}</code>
      {isDeciding && <span className="ml-1.5 text-xs font-medium">· decides</span>}
    </li>
  );
}
