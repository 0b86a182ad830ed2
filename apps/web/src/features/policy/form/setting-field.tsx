"use client";

import { type ReactNode, useId } from "react";
import { Button } from "@/ui/controls/button.tsx";
import { Choices } from "@/ui/controls/choices.tsx";
import { Select } from "@/ui/controls/select.tsx";
import { Switch } from "@/ui/controls/switch.tsx";
import { defaultWords, durationWords, type JsonSchema, labelOf, withoutNull } from "../schema.ts";
import { LinesField } from "./lines-field.tsx";
import { WebhooksField } from "./webhooks-field.tsx";

export interface SettingProps {
  name: string;
  schema: JsonSchema;
  /** It has no default, and is required. */
  isRequired?: boolean;
  /** The draft's value; undefined if it leaves the default. */
  value: unknown;
  isReadOnly: boolean;
  /** Undefined resets to the default. */
  onChange(value: unknown): void;
}

/** One setting: what it does, its default, and a control for its type. */
export function SettingField(props: SettingProps) {
  const { name, schema: given, isRequired = false, value, isReadOnly, onChange } = props;
  const isOwn = value !== undefined;
  return (
    <div className="grid gap-x-6 gap-y-1.5 py-3 md:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]">
      <div className="min-w-0">
        <p className="text-sm font-medium">
          {labelOf(name)} <code className="ml-1 font-mono text-xs font-normal text-muted">{name}</code>
        </p>
        <p className="text-sm text-muted">{given.description}</p>
        <p className="text-xs text-muted">
          {isRequired ? "Required" : `Default: ${defaultWords(given, name)}`}
          {isOwn && !isReadOnly && !isRequired && (
            <Button look="plain" size="small" className="ml-1 !h-6 px-1.5 text-xs" onClick={() => onChange(undefined)}>
              {given.default === undefined ? "Clear" : "Use the default"}
            </Button>
          )}
        </p>
      </div>
      <div className={`min-w-0 ${isReadOnly ? "pointer-events-none opacity-70" : ""}`} inert={isReadOnly}>
        <Control {...props} />
      </div>
    </div>
  );
}

function Control({ name, schema: given, isRequired = false, value, onChange }: SettingProps) {
  const { schema, mayBeNull } = withoutNull(given);
  const shown = value === undefined ? given.default : value;
  const label = labelOf(name);
  if (schema.type === "boolean")
    return <Switch label={label} isLabelHidden isOn={shown === true} onChange={onChange} />;
  if (schema.enum) {
    const options = schema.enum.map((each) => ({ value: each, label: each }));
    const isOpen = given.default === undefined && !isRequired;
    if (options.length <= 4 && !isOpen)
      return <Choices legend={label} isLegendHidden choices={options} value={String(shown)} onChange={onChange} />;
    return (
      <Select
        label={label}
        isLabelHidden
        className=""
        value={typeof shown === "string" ? shown : ""}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      >
        {isOpen && <option value="">not set</option>}
        {options.map(({ value: each }) => (
          <option key={each}>{each}</option>
        ))}
      </Select>
    );
  }
  if (schema.type === "integer" || schema.type === "number")
    return (
      <NumberField
        name={name}
        schema={schema}
        defaultValue={given.default}
        mayBeNull={mayBeNull}
        value={shown}
        onChange={onChange}
      />
    );
  if (schema.type === "array" && schema.items?.enum)
    return <ManyOf label={label} choices={schema.items.enum} value={asStrings(shown)} onChange={onChange} />;
  if (name === "webhooks") return <WebhooksField label={label} value={asStrings(shown)} onChange={onChange} />;
  // One word or several: `program` accepts both.
  if (schema.type === "array" || schema.anyOf?.some(({ type }) => type === "array"))
    return <LinesField label={label} value={asStrings(shown)} onChange={onChange} />;
  return <TextField label={label} value={typeof shown === "string" ? shown : ""} onChange={onChange} />;
}

function TextField({ label, value, onChange }: { label: string; value: string; onChange(value: unknown): void }) {
  return (
    <input
      aria-label={label}
      value={value}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      className="h-9 w-full rounded-md border border-edge bg-surface px-2.5 font-mono text-base sm:text-sm pointer-coarse:h-11"
    />
  );
}

function NumberField({
  name,
  schema,
  defaultValue,
  mayBeNull,
  value,
  onChange,
}: {
  name: string;
  schema: JsonSchema;
  defaultValue: unknown;
  mayBeNull: boolean;
  value: unknown;
  onChange(value: unknown): void;
}) {
  const label = labelOf(name);
  const id = useId();
  const isNever = value === null;
  // Where "never" is the default, going back to the default would leave it as it is.
  const firstNumber = defaultValue === null ? (schema.minimum ?? 1) : undefined;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <input
        type="number"
        aria-label={label}
        min={schema.minimum}
        max={schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum}
        value={typeof value === "number" ? value : ""}
        disabled={isNever}
        onChange={(event) => onChange(event.target.value === "" ? undefined : Number(event.target.value))}
        className="h-9 w-32 rounded-md border border-edge bg-surface px-2.5 text-base tabular-nums sm:text-sm pointer-coarse:h-11 disabled:opacity-50"
      />
      {typeof value === "number" && name.endsWith("Ms") && (
        <span className="text-sm text-muted">{durationWords(value)}</span>
      )}
      {mayBeNull && (
        <label htmlFor={id} className="flex min-h-9 items-center gap-2 text-sm">
          <input
            id={id}
            type="checkbox"
            checked={isNever}
            onChange={(event) => onChange(event.target.checked ? null : firstNumber)}
          />
          never
        </label>
      )}
    </div>
  );
}

function ManyOf({
  label,
  choices,
  value,
  onChange,
}: {
  label: string;
  choices: readonly string[];
  value: readonly string[];
  onChange(value: unknown): void;
}) {
  return (
    <fieldset className="flex flex-wrap gap-x-4">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label key={choice} className="flex min-h-9 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={value.includes(choice)}
            onChange={(event) =>
              onChange(choices.filter((each) => (each === choice ? event.target.checked : value.includes(each))))
            }
          />
          {choice}
        </label>
      ))}
    </fieldset>
  );
}

/** The settings of a group, one below the other. */
export function SettingGroup({
  schema,
  value,
  isReadOnly,
  onChange,
}: {
  schema: JsonSchema;
  value: unknown;
  isReadOnly: boolean;
  /** The path within the group, and the value; undefined resets to the default. */
  onChange(path: readonly string[], value: unknown): void;
}): ReactNode {
  const values = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  return (
    <div className="divide-y divide-line">
      {Object.entries(schema.properties ?? {}).map(([key, inner]) =>
        inner.properties ? (
          <fieldset key={key} className="py-3">
            <legend className="float-left mb-1 w-full text-sm font-medium">
              {labelOf(key)} <span className="font-normal text-muted">· {inner.description}</span>
            </legend>
            <div className="clear-both border-l-2 border-line pl-4">
              <SettingGroup
                schema={inner}
                value={values[key]}
                isReadOnly={isReadOnly}
                onChange={(path, next) => onChange([key, ...path], next)}
              />
            </div>
          </fieldset>
        ) : (
          <SettingField
            key={key}
            name={key}
            schema={inner}
            isRequired={schema.required?.includes(key) ?? false}
            value={values[key]}
            isReadOnly={isReadOnly}
            onChange={(next) => onChange([key], next)}
          />
        ),
      )}
    </div>
  );
}

function asStrings(value: unknown): string[] {
  return [value].flat().filter((each) => typeof each === "string");
}
