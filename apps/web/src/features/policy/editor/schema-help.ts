import { type CompletionContext, type CompletionResult, snippetCompletion } from "@codemirror/autocomplete";
import { hoverTooltip } from "@codemirror/view";
import { getLocation } from "jsonc-parser";
import { defaultWords, type JsonSchema, schemaAt, withoutNull } from "../schema.ts";

/** Completes keys and values from the schema. */
export function completeFrom(schema: JsonSchema) {
  return (context: CompletionContext): CompletionResult | null => {
    const text = context.state.doc.toString();
    const { path, isAtPropertyKey, previousNode } = getLocation(text, context.pos);
    const word = context.matchBefore(/"?[\w$-]*/);
    if (!context.explicit && (word === null || word.text === "")) return null;
    const isInside = previousNode !== undefined && previousNode.offset <= context.pos;
    const from = isInside ? previousNode.offset : (word?.from ?? context.pos);
    const end = isInside ? previousNode.offset + previousNode.length : context.pos;
    const to = Math.max(end, context.pos);
    if (!isAtPropertyKey) {
      const here = schemaAt(schema, path);
      return here && { from, to, options: valuesOf(here).map((label) => ({ label, type: "enum" })), filter: true };
    }
    const properties = schemaAt(schema, path.slice(0, -1))?.properties ?? {};
    const hasColon = /^\s*:/.test(text.slice(to));
    const options = Object.entries(properties).map(([key, property]) => {
      const info = property.description ?? "";
      const label = JSON.stringify(key);
      if (hasColon) return { label, info, type: "property" };
      return snippetCompletion(`${label}: ${snippetFor(property)}`, { label, info, type: "property" });
    });
    return { from, to, options };
  };
}

function valuesOf(given: JsonSchema): string[] {
  const { schema, mayBeNull } = withoutNull(given);
  const values = schema.enum?.map((value) => JSON.stringify(value)) ?? [];
  if (schema.type === "boolean") values.push("true", "false");
  if (schema.default !== undefined && typeof schema.default !== "object") values.push(JSON.stringify(schema.default));
  if (mayBeNull) values.push("null");
  return [...new Set(values)];
}

function snippetFor(given: JsonSchema): string {
  const { schema } = withoutNull(given);
  if (schema.type === "array") return "[$" + "{}]";
  if (schema.type === "object") return "{ $" + "{} }";
  if (schema.type === "string" || schema.enum) return '"$' + '{}"';
  return "$" + "{}";
}

/** Describes a setting on hover. */
export function explainFrom(schema: JsonSchema) {
  return hoverTooltip((view, pos) => {
    const { path, previousNode } = getLocation(view.state.doc.toString(), pos);
    const here = schemaAt(schema, path);
    if (!here?.description || path.length === 0) return null;
    const key = String(path.at(-1));
    const start = previousNode?.offset ?? pos;
    return {
      pos: start,
      end: start + (previousNode?.length ?? 0),
      create: () => {
        const dom = document.createElement("div");
        dom.className = "cm-tooltip-hint";
        const sentence = dom.appendChild(document.createElement("p"));
        sentence.textContent = here.description ?? "";
        const given = dom.appendChild(document.createElement("p"));
        given.textContent = `Default: ${defaultWords(here, key)}`;
        return { dom };
      },
    };
  });
}
