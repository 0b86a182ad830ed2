"use client";

import type { ChangesView } from "@belay/agent-gateway/router";
import type { CommandId } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { useTRPC } from "@/trpc/client.ts";

type File = NonNullable<ChangesView["list"]>["paths"][number];

interface Hunk {
  oldStart: number;
  newStart: number;
  lines: string[];
}

const PICTURE = /\.(png|jpe?g|gif|webp|avif)$/i;

/** The diff of a file: text line by line, pictures side by side, anything else by size and mode. */
export function FileDiff({ commandId, file }: { commandId: CommandId; file: File }) {
  const { modeBefore, modeAfter, kind } = file;
  const isModeChanged = kind === "changed" && modeBefore !== modeAfter;
  return (
    <div className="border-t border-line bg-sunken">
      {isModeChanged && (
        <p className="px-3 py-2 text-xs text-muted">
          Mode {octal(modeBefore)} → {octal(modeAfter)}
        </p>
      )}
      {PICTURE.test(file.path) ? (
        <Pictures commandId={commandId} file={file} />
      ) : file.isOpaque || file.type === "folder" ? (
        <p className="px-3 py-2 text-xs text-muted">{sizeWords(file)}</p>
      ) : (
        <Lines commandId={commandId} file={file} />
      )}
    </div>
  );
}

function Lines({ commandId, file }: { commandId: CommandId; file: File }) {
  const diff = useQuery(useTRPC().changes.diff.queryOptions({ commandId, path: file.id }));
  return <DiffLines file={file} hunks={diff.data} problem={diff.error?.message ?? null} />;
}

/** The changed lines themselves; undefined while they are on the way, null if there is no text to compare. */
export function DiffLines({
  file,
  hunks,
  problem,
}: {
  file: File;
  hunks: readonly Hunk[] | null | undefined;
  problem: string | null;
}) {
  if (problem !== null) return <p className="px-3 py-2 text-xs text-danger">{problem}</p>;
  if (hunks === undefined) return <p className="px-3 py-2 text-xs text-muted">Comparing …</p>;
  if (hunks === null) return <p className="px-3 py-2 text-xs text-muted">{sizeWords(file)}</p>;
  if (hunks.length === 0) return <p className="px-3 py-2 text-xs text-muted">The same text.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <section aria-label={`Difference of ${file.path}`} tabIndex={0} className="max-h-96 overflow-auto py-1">
      {hunks.map(({ oldStart, newStart, lines }) => (
        <Fragment key={`${oldStart} ${newStart}`}>
          <p className="px-3 font-mono text-2xs text-muted">
            line {oldStart} → {newStart}
          </p>
          <pre className="w-max min-w-full font-mono text-xs leading-5">
            {lines.map((line, at) => (
              <span key={at} className={`block px-3 ${lineColor(line)}`}>
                {line.slice(0, 1)} {visibleText(line.slice(1))}
              </span>
            ))}
          </pre>
        </Fragment>
      ))}
    </section>
  );
}

function lineColor(line: string): string {
  if (line.startsWith("+")) return "bg-accent-soft text-accent";
  if (line.startsWith("-")) return "bg-danger-soft text-danger";
  return "text-muted";
}

function Pictures({ commandId, file }: { commandId: CommandId; file: File }) {
  return (
    <div className="grid gap-3 p-3 sm:grid-cols-2">
      {file.kind !== "created" && <Picture commandId={commandId} file={file} side="before" />}
      {file.kind !== "deleted" && <Picture commandId={commandId} file={file} side="after" />}
    </div>
  );
}

function Picture({ commandId, file, side }: { commandId: CommandId; file: File; side: "before" | "after" }) {
  const picture = useQuery(useTRPC().changes.picture.queryOptions({ commandId, path: file.id, side }));
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 text-xs text-muted">{side === "before" ? "Before" : "After"}</figcaption>
      {picture.data ? (
        <img
          src={`data:${picture.data.type};base64,${picture.data.base64}`}
          alt={`${file.path} ${side}`}
          className="max-h-64 max-w-full rounded border border-line"
        />
      ) : (
        <p className="text-xs text-muted">
          {picture.error?.message ?? (picture.data === null ? sizeWords(file) : "Loading …")}
        </p>
      )}
    </figure>
  );
}

export function sizeWords({ type, sizeBefore, sizeAfter }: File): string {
  if (type === "folder") return "A folder.";
  if (type === "other") return "A named pipe, a socket or a device.";
  const words = (size: number | null) => (size === null ? "nothing" : `${size.toLocaleString("en")} bytes`);
  return `No text to compare: ${words(sizeBefore)} → ${words(sizeAfter)}.`;
}

function octal(mode: number | null): string {
  return mode === null ? "none" : mode.toString(8).padStart(4, "0");
}
