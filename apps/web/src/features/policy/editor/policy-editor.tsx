"use client";

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, StreamLanguage } from "@codemirror/language";
import { json } from "@codemirror/legacy-modes/mode/javascript";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Text } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { JsonSchema } from "../schema.ts";
import { completeFrom, explainFrom } from "./schema-help.ts";
import { EDITOR_LOOK } from "./theme.ts";

export interface Problem {
  line: number;
  column: number;
  message: string;
  fix: string;
}

/** The file may contain comments, which this mode supports. */
export const POLICY_LANGUAGE = StreamLanguage.define(json);

/** The policy as text, with completion, hints and inline errors. Tab leaves it, as it leaves any field. */
export default function PolicyEditor({
  text,
  schema,
  problems,
  isReadOnly,
  onChange,
}: {
  text: string;
  schema: JsonSchema;
  problems: readonly Problem[];
  isReadOnly: boolean;
  onChange(text: string): void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  const first = useRef(text);
  useEffect(() => {
    if (!box.current) return;
    const editable = new Compartment();
    const editor = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          lintGutter(),
          EditorView.lineWrapping,
          POLICY_LANGUAGE,
          autocompletion({ override: [completeFrom(schema)], activateOnTyping: true, interactionDelay: 0 }),
          explainFrom(schema),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.contentAttributes.of({ "aria-label": "The policy as text" }),
          editable.of([EditorState.readOnly.of(isReadOnly), EditorView.editable.of(!isReadOnly)]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current(update.state.doc.toString());
          }),
          EDITOR_LOOK,
        ],
      }),
    });
    view.current = editor;
    return () => {
      first.current = editor.state.doc.toString();
      editor.destroy();
      view.current = null;
    };
  }, [schema, isReadOnly]);

  useEffect(() => {
    const editor = view.current;
    const shown = editor?.state.doc.toString();
    // Changed from outside: by the form, by formatting, or by discarding the draft.
    if (!editor || shown === text || shown === undefined) return;
    editor.dispatch({ changes: { from: 0, to: shown.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (editor)
      editor.dispatch(
        setDiagnostics(
          editor.state,
          problems.map((each) => diagnose(editor.state.doc, each)),
        ),
      );
  }, [problems]);

  return <div ref={box} className="h-full min-h-0 overflow-hidden" />;
}

function diagnose(doc: Text, { line, column, message, fix }: Problem): Diagnostic {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  const start = Math.min(from + column - 1, to);
  return { from: start, to: Math.max(start, to), severity: "error", message: `${message} ${fix}` };
}
