"use client";

import { useEffect } from "react";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { changeValue, readValues } from "../draft-text.ts";
import { type JsonSchema, labelOf } from "../schema.ts";
import { ProfileList } from "./profile-list.tsx";
import { RuleList } from "./rule-list.tsx";
import { SettingField, SettingGroup } from "./setting-field.tsx";

/** Which keys belong together. A key without a section gets its own, so that a new one is never missing. */
const SECTIONS: readonly { title: string; keys: readonly string[] }[] = [
  { title: "Rules", keys: ["rules"] },
  {
    title: "Lists",
    keys: ["commandDenyPatterns", "commandApprovalPatterns", "blockedCommands", "dangerousCommands", "safeCommands"],
  },
  { title: "Everyday work", keys: ["ordinaryWork"] },
  { title: "Protected paths", keys: ["protectedPaths"] },
  { title: "Profiles", keys: ["profiles", "defaultProfile"] },
  { title: "Approval", keys: ["approval"] },
  { title: "Isolation", keys: ["isolation"] },
  { title: "In the background", keys: ["spawn"] },
  { title: "Limits", keys: ["limits"] },
  { title: "Retention", keys: ["retention"] },
  { title: "Toolsets", keys: ["toolDefaults"] },
];

/** The draft as a form, generated from the schema. It edits the text, and keeps its comments and its order. */
export function PolicyForm({
  text,
  schema,
  profiles,
  isReadOnly,
  onChange,
}: {
  text: string;
  schema: JsonSchema;
  /** All active profiles. */
  profiles: Readonly<Record<string, Record<string, unknown>>>;
  isReadOnly: boolean;
  onChange(text: string): void;
}) {
  useEffect(() => {
    // A link to a section is followed before the form is rendered.
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, []);
  const values = readValues(text);
  if (values === null)
    return (
      <ErrorMessage className="p-5">
        The draft can’t be read as JSON. Fix it in the text view; nothing is lost.
      </ErrorMessage>
    );
  const set = (path: (string | number)[], value: unknown) => onChange(changeValue(text, path, value));
  return (
    <div className="grid gap-6 p-4 sm:p-5">
      <nav aria-label="Sections" className="flex flex-wrap gap-x-4 gap-y-1 border-b border-line pb-3 text-sm">
        {sectionsOf(schema).map(({ title, keys }) => (
          <a key={title} href={`#${keys[0]}`} className="text-accent hover:underline pointer-coarse:py-2">
            {title}
          </a>
        ))}
      </nav>
      {sectionsOf(schema).map(({ title, keys }) => (
        <section key={title} id={keys[0]} aria-label={title} className="scroll-mt-4">
          <h2 className="font-semibold tracking-tight">{title}</h2>
          {keys.map((key) => {
            const inner = schema.properties?.[key];
            if (!inner) return null;
            const value = values[key];
            const about = <p className="text-sm text-muted">{inner.description}</p>;
            if (key === "rules" && inner.items)
              return (
                <div key={key}>
                  {about}
                  <RuleList
                    schema={inner.items}
                    rules={Array.isArray(value) ? (value as Record<string, unknown>[]) : []}
                    isReadOnly={isReadOnly}
                    onChange={(path, next) => set([key, ...path], next)}
                  />
                </div>
              );
            if (typeof inner.additionalProperties === "object")
              return (
                <div key={key}>
                  {about}
                  <ProfileList
                    schema={inner.additionalProperties}
                    profiles={(value ?? {}) as Record<string, Record<string, unknown>>}
                    inForce={profiles}
                    isReadOnly={isReadOnly}
                    onChange={(path, next) => set([key, ...path], next)}
                  />
                </div>
              );
            if (inner.properties)
              return (
                <div key={key}>
                  {about}
                  <SettingGroup
                    schema={inner}
                    value={value}
                    isReadOnly={isReadOnly}
                    onChange={(path, next) => set([key, ...path], next)}
                  />
                </div>
              );
            return (
              <SettingField
                key={key}
                name={key}
                schema={inner}
                value={value}
                isReadOnly={isReadOnly}
                onChange={(next) => set([key], next)}
              />
            );
          })}
        </section>
      ))}
    </div>
  );
}

function sectionsOf(schema: JsonSchema): { title: string; keys: readonly string[] }[] {
  const known = new Set(SECTIONS.flatMap(({ keys }) => keys));
  const rest = Object.keys(schema.properties ?? {}).filter((key) => !known.has(key) && key !== "$schema");
  return [...SECTIONS, ...rest.map((key) => ({ title: labelOf(key), keys: [key] }))];
}
