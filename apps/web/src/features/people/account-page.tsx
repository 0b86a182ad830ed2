"use client";

import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { Section } from "@/features/settings/section.tsx";
import { changePassword } from "@/features/sign-in/auth-api.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/controls/button.tsx";
import { Field } from "@/ui/controls/field.tsx";
import { NewPasswordField } from "@/ui/controls/new-password-field.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { SessionsList } from "./sessions-list.tsx";

/** What people may change about their own account. */
export function AccountPage() {
  const { me } = useMe();
  const form = useRef<HTMLFormElement>(null);
  const change = useMutation({
    mutationFn: (data: FormData) => changePassword(String(data.get("current")), String(data.get("new"))),
    onSuccess: () => {
      form.current?.reset();
      toast("Your password is changed. You are signed out everywhere else.");
    },
  });
  if (!me) return <Loading what="your account" />;
  return (
    <main className="w-full max-w-3xl p-4 sm:p-6">
      <h1 className="text-xl font-semibold tracking-tight">Your account</h1>
      <p className="mt-1 flex flex-wrap items-center gap-2 text-sm text-muted">
        {me.name} · {me.email} <Badge>{me.role}</Badge>
      </p>
      <Section title="Signed in" about="If you don’t recognise a session, end it and change your password.">
        <SessionsList personId={me.id} />
      </Section>
      <Section title="Password" about="Changing it signs you out everywhere else.">
        <form
          ref={form}
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate(new FormData(event.currentTarget));
          }}
        >
          <input type="hidden" name="email" autoComplete="username" value={me.email} readOnly />
          <Field
            label="Current password"
            className=""
            name="current"
            type="password"
            autoComplete="current-password"
            required
          />
          <NewPasswordField label="New password" name="new" hint="At least 10 characters." />
          <ErrorMessage className="mt-3">{change.error?.message}</ErrorMessage>
          <Button type="submit" className="mt-4" disabled={change.isPending}>
            Change the password
          </Button>
        </form>
      </Section>
    </main>
  );
}
