"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useSyncExternalStore } from "react";
import { Card } from "@/ui/card.tsx";
import { Button } from "@/ui/controls/button.tsx";
import { Field } from "@/ui/controls/field.tsx";
import { NewPasswordField } from "@/ui/controls/new-password-field.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { claimAccount } from "./auth-api.ts";

/** The page of a one-time link: creates the first admin or an invited account, and signs them in. */
export function SetupForm() {
  const router = useRouter();
  const queryClient = useQueryClient();
  const fragment = useSyncExternalStore(
    noChanges,
    () => window.location.hash.slice(1),
    () => "",
  );
  // In the fragment, so that the token never reaches a server's log.
  const [token = "", ...more] = fragment.split("&");
  const isInvited = token.startsWith("bli_");
  const invitedEmail = new URLSearchParams(more.join("&")).get("email");
  const claim = useMutation({
    mutationFn: (form: FormData) =>
      claimAccount({
        token,
        name: String(form.get("name")),
        email: String(form.get("email")),
        password: String(form.get("password")),
      }),
    onSuccess: () => {
      queryClient.clear();
      router.replace("/");
    },
  });
  return (
    <Card title="Welcome to Belay">
      <p className="text-sm text-muted">
        {isInvited ? "You were invited." : "You will be its first admin."} Use this to sign in from now on.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          claim.mutate(new FormData(event.currentTarget));
        }}
      >
        <Field label="Name" name="name" autoComplete="name" required autoFocus />
        <Field
          key={invitedEmail}
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          {...(invitedEmail && {
            defaultValue: invitedEmail,
            readOnly: true,
            hint: "The invitation is for this address.",
          })}
        />
        <NewPasswordField label="Password" name="password" hint="At least 10 characters." />
        <ErrorMessage className="mt-4">{claim.error?.message}</ErrorMessage>
        <Button type="submit" disabled={claim.isPending} className="mt-6 w-full">
          {claim.isPending
            ? "Setting up …"
            : isInvited
              ? "Create my account and sign in"
              : "Create the admin and sign in"}
        </Button>
      </form>
    </Card>
  );
}

/** The link does not change while the page is open. */
function noChanges(): () => void {
  return () => {};
}
