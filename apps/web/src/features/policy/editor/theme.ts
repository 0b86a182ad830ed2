import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The editor in the page's colours, which follow its theme. */
export const EDITOR_LOOK = [
  EditorView.theme({
    "&": { height: "100%", fontSize: "0.8125rem", backgroundColor: "var(--raised)", color: "var(--ink)" },
    "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
    ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.375rem" },
    ".cm-content": { caretColor: "var(--ink)", padding: "0.5rem 0" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--muted)", border: "none" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--sunken) 60%, transparent)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      backgroundColor: "var(--accent-soft)",
    },
    ".cm-tooltip": {
      backgroundColor: "var(--raised)",
      color: "var(--ink)",
      border: "1px solid var(--line)",
      borderRadius: "6px",
      maxWidth: "26rem",
      fontSize: "0.8125rem",
    },
    ".cm-tooltip-hint": { padding: "0.375rem 0.625rem" },
    ".cm-tooltip-hint p + p": { color: "var(--muted)" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
      backgroundColor: "var(--accent)",
      color: "var(--on-accent)",
    },
    ".cm-diagnostic-error": { borderLeftColor: "var(--danger)" },
    ".cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--accent-soft) !important" },
    ".cm-deletedChunk, .cm-deletedLine": { backgroundColor: "var(--danger-soft) !important" },
    ".cm-changedText": { background: "color-mix(in srgb, var(--accent) 12%, transparent) !important" },
    ".cm-deletedChunk .cm-deletedText": {
      background: "color-mix(in srgb, var(--danger) 12%, transparent) !important",
    },
    ".cm-collapsedLines": { color: "var(--muted)", background: "var(--sunken)", padding: "0.25rem 0.75rem" },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: "var(--accent)" },
      { tag: tags.string, color: "var(--ink)" },
      { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.keyword], color: "var(--attention)" },
      { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
    ]),
  ),
];
