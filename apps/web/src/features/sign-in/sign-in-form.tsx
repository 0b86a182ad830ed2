"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { Card } from "@/ui/card.tsx";
import { Button } from "@/ui/controls/button.tsx";
import { Field } from "@/ui/controls/field.tsx";
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
        {attempt.error && (
          <p role="alert" className="mt-4 text-sm text-danger">
            {attempt.error.message}
          </p>
        )}
        <Button type="submit" disabled={attempt.isPending} className="mt-6 w-full">
          {attempt.isPending ? "Signing in …" : "Sign in"}
        </Button>
      </form>
      <IdentityProviderButton next={next} />
      {isRefused && (
        <p role="alert" className="mt-4 text-sm text-danger">
          There is no account for your address. Ask an admin to add you.
        </p>
      )}
    </Card>
  );
}

/** Where to go after signing in: only to a page of this console. */
function ownPath(text: string | null): string {
  return text !== null && /^\/(?![/\\])/.test(text) ? text : "/";
}
