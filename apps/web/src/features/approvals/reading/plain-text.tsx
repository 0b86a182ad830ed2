import type { Span } from "@belay/protocol";
import { inOrder, type Piece, piecesOf } from "../card/visible-text.ts";

/** Text of an agent, exactly as a shell reads it: hidden characters named, risky parts underlined, left to right. */
export function PlainText({ text, spans = [] }: { text: string; spans?: readonly (Span | null)[] }) {
  return piecesOf(text, spans).map((piece, index) => (
    // Keyed by position: pieces never move.
    <PieceText key={index} piece={piece} />
  ));
}

function PieceText({ piece: { text, isRisky, isHidden } }: { piece: Piece }) {
  if (isHidden)
    return (
      <span title="A character that would not be seen" className="rounded-sm bg-danger px-0.5 text-on-danger">
        {text}
      </span>
    );
  if (!isRisky) return <InOrder text={text} />;
  return (
    <mark className="bg-attention-soft text-inherit underline decoration-attention decoration-2 underline-offset-4">
      <InOrder text={text} />
    </mark>
  );
}

function InOrder({ text }: { text: string }) {
  const words = inOrder(text);
  if (words.length === 1) return text;
  return words.map(({ text: word, isRightToLeft }, index) =>
    // By itself, so that it does not turn its neighbours around. Keyed by position: words never move.
    isRightToLeft ? <bdi key={index}>{word}</bdi> : <span key={index}>{word}</span>,
  );
}
