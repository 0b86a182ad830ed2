"use client";

import type { PreviewView } from "@belay/agent-gateway/router";
import type { Approval } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FileList } from "@/features/changes/changed-files.tsx";
import { DiffLines, sizeWords } from "@/features/changes/file-diff.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { visibleText } from "../card/visible-text.ts";

type File = PreviewView["changes"]["paths"][number];

/** The result of a preview: the files, what it printed, and what it could not do there. */
export function PreviewResult({
  approval,
  preview,
  again,
}: {
  approval: Approval;
  preview: PreviewView;
  again: ReactNode;
}) {
  const { summary, changes, exitCode, output, attempts, missing, obstacles, shellChanges } = preview;
  const isFailed = exitCode !== 0;
  const renderDiff = (file: File) => <PreviewedDiff approval={approval} preview={preview} file={file} />;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 text-base font-medium break-words">{capitalise(summary)}</p>
        <span className={`font-mono text-xs ${isFailed ? "text-danger" : "text-muted"}`}>
          {exitCode === null ? "ended early" : `exit ${exitCode}`}
        </span>
        {again}
      </div>
      {changes.paths.length > 0 && <FileList list={changes} renderDiff={renderDiff} />}
      {output.trim() !== "" && (
        <section
          aria-label="What it printed"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
          tabIndex={0}
          className="max-h-60 overflow-auto rounded-lg border border-line bg-sunken p-3"
        >
          <pre className="w-max min-w-full font-mono text-xs leading-5">
            {output.trimEnd().split("\n").map(visibleText).join("\n")}
          </pre>
        </section>
      )}
      <Notes title="What it could not do here" lines={attempts} tone="text-attention" />
      <Notes title="What its shell lacked" lines={missing} tone="text-muted" />
      {obstacles.length > 0 && (
        <Notes
          title={shellChanges.length > 0 ? "Only a real run does all of it" : "Why it can only be run for real"}
          lines={obstacles}
          tone="text-attention"
        />
      )}
    </div>
  );
}

function Notes({ title, lines, tone }: { title: string; lines: readonly string[]; tone: string }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h4 className="mb-0.5 text-xs font-medium text-muted">{title}</h4>
      <ul className={tone}>
        {lines.map((line) => (
          <li key={line}>{capitalise(line)}</li>
        ))}
      </ul>
    </div>
  );
}

function PreviewedDiff({ approval, preview, file }: { approval: Approval; preview: PreviewView; file: File }) {
  // A new preview is another question: its name keeps old answers apart.
  const query = useTRPC().approvals.previewDiff.queryOptions({ id: approval.id, preview: preview.id, file: file.id });
  const hasText = !file.isOpaque && file.type !== "folder";
  const diff = useQuery({ ...query, enabled: hasText });
  return (
    <div className="border-t border-line bg-sunken">
      {hasText ? (
        <DiffLines file={file} hunks={diff.data} problem={diff.error?.message ?? null} />
      ) : (
        <p className="px-3 py-2 text-xs text-muted">{sizeWords(file)}</p>
      )}
    </div>
  );
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
