"use client";

import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { POLICY_LANGUAGE } from "./policy-editor.tsx";
import { EDITOR_LOOK } from "./theme.ts";

const READ_ONLY = [EditorState.readOnly.of(true), EditorView.editable.of(false)];
const SHARED = [lineNumbers(), POLICY_LANGUAGE, EDITOR_LOOK, EditorView.lineWrapping];

/** The unified diff of two texts. */
export default function DiffView({ before, after, label }: { before: string; after: string; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const view = new EditorView({
      parent: box.current,
      doc: after,
      extensions: [
        SHARED,
        READ_ONLY,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        unifiedMergeView({
          original: before,
          mergeControls: false,
          gutter: true,
          collapseUnchanged: { margin: 3, minSize: 6 },
        }),
      ],
    });
    return () => view.destroy();
  }, [before, after, label]);
  return <div ref={box} className="max-h-[60dvh] overflow-auto rounded-lg border border-line" />;
}

/** Two texts side by side: theirs can be merged chunk by chunk, and one's own stays editable. */
export function TwoSides({ theirs, mine, onChange }: { theirs: string; mine: string; onChange(text: string): void }) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  const first = useRef(mine);
  useEffect(() => {
    if (!box.current) return;
    const view = new MergeView({
      parent: box.current,
      a: {
        doc: theirs,
        extensions: [SHARED, READ_ONLY, EditorView.contentAttributes.of({ "aria-label": "In force", tabindex: "0" })],
      },
      b: {
        doc: first.current,
        extensions: [
          SHARED,
          EditorView.contentAttributes.of({ "aria-label": "Your draft" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current(update.state.doc.toString());
          }),
        ],
      },
      revertControls: "a-to-b",
      gutter: true,
    });
    return () => view.destroy();
  }, [theirs]);
  return (
    <div
      ref={box}
      className="max-h-[60dvh] overflow-auto rounded-lg border border-line [&_.cm-merge-revert]:w-8! [&_.cm-merge-revert_button]:size-7!"
    />
  );
}
