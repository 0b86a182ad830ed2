"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { NewPasswordField } from "@/ui/controls/new-password-field.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { toast } from "@/ui/states/toast.tsx";

/** A new password for a person who lost theirs. It signs them out everywhere. */
export function ResetPassword({ email, name }: { email: string; name: string }) {
  const [password, setPassword] = useState("");
  const reset = useMutation(
    useTRPC().people.setPassword.mutationOptions({
      onSuccess: () => {
        setPassword("");
        toast(`${name} has a new password, and is signed out everywhere.`);
      },
    }),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        reset.mutate({ email, password });
      }}
    >
      <div className="flex items-end gap-2">
        <NewPasswordField
          label="New password for them"
          className="flex-1"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit" look="danger-quiet" disabled={reset.isPending}>
          Set it
        </Button>
      </div>
      <p className="mt-1 text-xs text-muted">It signs them out everywhere.</p>
      <ErrorMessage className="mt-2">{reset.error?.message}</ErrorMessage>
    </form>
  );
}
