"use client";

import { useState } from "react";
import { Button } from "@/ui/controls/button.tsx";
import { Field } from "@/ui/controls/field.tsx";
import { KeyHint } from "@/ui/controls/kbd.tsx";

/** Refuses, with an optional reason that the agent reads. */
export function RefuseForm({
  isBusy,
  onRefuse,
  onCancel,
}: {
  isBusy: boolean;
  onRefuse(message: string): void;
  onCancel(): void;
}) {
  const [message, setMessage] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onRefuse(message.trim());
      }}
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      <Field
        label="Message to the agent"
        className=""
        hint="Optional. The agent reads it and can try another way."
        autoFocus
        value={message}
        maxLength={2000}
        onChange={(event) => setMessage(event.target.value)}
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" look="danger" disabled={isBusy}>
          Refuse <KeyHint>⏎</KeyHint>
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Back <KeyHint>esc</KeyHint>
        </Button>
      </div>
    </form>
  );
}
