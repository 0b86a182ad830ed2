"use client";

import { type ComponentProps, type ReactNode, useState } from "react";
import { Field } from "../controls/field.tsx";
import { FormDialog } from "./form-dialog.tsx";

/** Asks for the name of something new, and for what else belongs to it. */
export function NewNamedDialog({
  onSubmit,
  nameField,
  children,
  ...dialog
}: Omit<ComponentProps<typeof FormDialog>, "onSubmit" | "children"> & {
  onSubmit(name: string): void;
  /** What the name may be, and a hint. */
  nameField?: Pick<ComponentProps<typeof Field>, "pattern" | "title" | "hint">;
  children?: ReactNode;
}) {
  const [name, setName] = useState("");
  return (
    <FormDialog {...dialog} onSubmit={() => onSubmit(name.trim())}>
      <Field
        label="Name"
        className=""
        required
        autoFocus
        maxLength={64}
        {...nameField}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {children}
    </FormDialog>
  );
}
