import type { ComponentProps } from "react";
import { Field } from "./field.tsx";

/** A field for a password that is being chosen, with the length that the gateway requires. */
export function NewPasswordField(props: Omit<ComponentProps<typeof Field>, "type">) {
  return <Field type="password" autoComplete="new-password" minLength={10} required {...props} />;
}
