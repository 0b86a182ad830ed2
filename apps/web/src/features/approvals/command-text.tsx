import type { Span } from "@belay/protocol";
import { type Piece, piecesOf } from "./visible-text.ts";

/** What will run: risky parts underlined, hidden characters made visible. Text only, whatever it contains. */
export function CommandText({
  text,
  spans,
  className = "",
}: {
  text: string;
  spans: readonly (Span | null)[];
  className?: string;
}) {
  return (
    <code className={`block font-mono break-words whitespace-pre-wrap ${className}`}>
      {piecesOf(text, spans).map((piece, index) => (
        // Pieces never move: the position is the identity.
        <PieceText key={index} piece={piece} />
      ))}
    </code>
  );
}

function PieceText({ piece: { text, isRisky, isHidden } }: { piece: Piece }) {
  if (isHidden)
    return (
      <span title="A character that would not be seen" className="rounded-sm bg-danger px-0.5 text-on-danger">
        {text}
      </span>
    );
  if (!isRisky) return text;
  return (
    <mark className="bg-attention-soft text-inherit underline decoration-attention decoration-2 underline-offset-4">
      {text}
    </mark>
  );
}
