"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { Card } from "@/ui/card.tsx";
import { Button } from "@/ui/controls/button.tsx";
import { Field } from "@/ui/controls/field.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { signIn } from "./auth-api.ts";
import { IdentityProviderButton } from "./identity-provider-button.tsx";

export function SignInForm() {
  const router = useRouter();
  const queryClient = useQueryClient();
  const search = useSearchParams();
  const isRefused = search.has("refused");
  const next = ownPath(search.get("next"));
  const attempt = useMutation({
    mutationFn: (form: FormData) => signIn(String(form.get("email")), String(form.get("password"))),
    onSuccess: () => {
      queryClient.clear();
      router.replace(next);
    },
  });
  return (
    <Card title="Sign in">
      {/* Not a form action: React would clear the fields, even after a wrong password. */}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          attempt.mutate(new FormData(event.currentTarget));
        }}
      >
        <Field label="Email" name="email" type="email" autoComplete="username" required autoFocus />
        <Field label="Password" name="password" type="password" autoComplete="current-password" required />
        <ErrorMessage className="mt-4">{attempt.error?.message}</ErrorMessage>
        <Button type="submit" disabled={attempt.isPending} className="mt-6 w-full">
          {attempt.isPending ? "Signing in …" : "Sign in"}
        </Button>
      </form>
      <IdentityProviderButton next={next} />
      {isRefused && (
        <ErrorMessage className="mt-4">There is no account for your address. Ask an admin to add you.</ErrorMessage>
      )}
    </Card>
  );
}

/** Where to go after signing in: only to a page of this console. */
function ownPath(text: string | null): string {
  return text !== null && /^\/(?![/\\])/.test(text) ? text : "/";
}
