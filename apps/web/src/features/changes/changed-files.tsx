"use client";

import type { ChangesView } from "@belay/agent-gateway/router";
import type { CommandId } from "@belay/protocol";
import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { FileDiff } from "./file-diff.tsx";

type List = NonNullable<ChangesView["list"]>;
type File = List["paths"][number];

const KIND_COLORS = { created: "text-accent", changed: "text-muted", deleted: "text-danger" } as const;
/** More than a person reads one by one. */
const MOST_SHOWN = 200;

/** One row per file, which unfolds its diff. If there are few, the first is unfolded. */
export function ChangedFiles({ commandId, list }: { commandId: CommandId; list: List }) {
  return <FileList list={list} renderDiff={(file) => <FileDiff commandId={commandId} file={file} />} />;
}

/** The same for files whose differences come from elsewhere. */
export function FileList({ list, renderDiff }: { list: List; renderDiff: (file: File) => ReactNode }) {
  const files = list.paths.filter(({ type }) => type !== "folder");
  const shown = files.length > 0 ? files : list.paths;
  const more = list.unlisted + Math.max(0, shown.length - MOST_SHOWN);
  return (
    <div>
      <ul aria-label="Changed files" className="divide-y divide-line rounded-lg border border-line">
        {shown.slice(0, MOST_SHOWN).map((file) => (
          <ChangedFile key={file.id} file={file} isFirstOpen={shown.length === 1} renderDiff={renderDiff} />
        ))}
      </ul>
      {more > 0 && <p className="mt-2 text-xs text-muted">… and {more} more</p>}
    </div>
  );
}

function ChangedFile({
  file,
  isFirstOpen,
  renderDiff,
}: {
  file: File;
  isFirstOpen: boolean;
  renderDiff: (file: File) => ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(isFirstOpen);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const { kind, path, type, addedLines, removedLines } = file;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex w-full cursor-pointer items-center gap-2 px-3 py-2 text-left text-sm hover:bg-sunken pointer-coarse:min-h-11"
      >
        <Chevron aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 font-mono text-xs break-all">
          {visibleText(path)}
          {type === "folder" ? "/" : ""}
        </span>
        <span className={`shrink-0 text-xs ${KIND_COLORS[kind]}`}>{kind}</span>
        {(addedLines ?? 0) > 0 && <span className="shrink-0 font-mono text-xs text-accent">+{addedLines}</span>}
        {(removedLines ?? 0) > 0 && <span className="shrink-0 font-mono text-xs text-danger">−{removedLines}</span>}
      </button>
      {isOpen && renderDiff(file)}
    </li>
  );
}
