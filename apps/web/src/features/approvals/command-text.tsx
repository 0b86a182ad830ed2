import type { Verdict } from "@belay/protocol";
import { piecesOf } from "./visible-text.ts";

/** What will run: risky parts underlined, hidden characters made visible. Text only, whatever it contains. */
export function CommandText({ text, verdict }: { text: string; verdict: Verdict }) {
  const pieces = piecesOf(
    text,
    verdict.matches.map(({ span }) => span),
  );
  return (
    <code className="block font-mono text-sm leading-relaxed break-words whitespace-pre-wrap">
      {pieces.map(({ text: piece, isRisky, isHidden }, index) => (
        // Pieces never move: the position is the identity.
        <span key={index} className={styleOf(isRisky, isHidden)}>
          {piece}
        </span>
      ))}
    </code>
  );
}

function styleOf(isRisky: boolean, isHidden: boolean): string | undefined {
  if (isHidden) return "rounded-sm bg-danger px-0.5 text-surface";
  return isRisky ? "underline decoration-attention decoration-2 underline-offset-4" : undefined;
}
