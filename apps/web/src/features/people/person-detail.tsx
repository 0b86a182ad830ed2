"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { ResetPassword } from "./reset-password.tsx";
import { ROLE_WORDS, type Role, RolePicker } from "./role-picker.tsx";
import { SessionsList } from "./sessions-list.tsx";

interface Person {
  id: string;
  name: string;
  email: string;
  role: Role;
}

/** One person: role, sessions, password, removal. */
export function PersonDetail({ person, isMe, onRemoved }: { person: Person; isMe: boolean; onRemoved(): void }) {
  const trpc = useTRPC();
  const { email, name } = person;
  const [newRole, setNewRole] = useState<Role | null>(null);
  const [isRemoving, setIsRemoving] = useState(false);
  const setRole = useMutation(
    trpc.people.setRole.mutationOptions({
      onSuccess: ({ role }) => {
        setNewRole(null);
        toast(`${name} is ${role} now.`);
      },
    }),
  );
  const remove = useMutation(trpc.people.remove.mutationOptions({ onSuccess: onRemoved }));
  return (
    <div className="p-4 sm:p-5">
      <h2 className="text-base font-semibold tracking-tight">{name}</h2>
      <p className="text-sm text-muted">{email}</p>
      <div className="mt-4">
        <RolePicker value={person.role} onChange={setNewRole} />
      </div>
      <section className="mt-5 border-t border-line pt-4">
        <h3 className="mb-2 text-sm font-medium">Signed in</h3>
        <SessionsList personId={person.id} />
      </section>
      <section className="mt-5 border-t border-line pt-4">
        <h3 className="mb-2 text-sm font-medium">Password</h3>
        {isMe ? (
          <p className="text-sm text-muted">
            <Link href="/account" className="text-accent underline-offset-4 hover:underline">
              Change yours on your account
            </Link>
          </p>
        ) : (
          <ResetPassword email={email} name={name} />
        )}
      </section>
      <section className="mt-5 flex items-center justify-between gap-4 border-t border-line pt-4">
        <p className="text-sm text-muted">What they did stays on record.</p>
        <Button look="danger-quiet" size="small" onClick={() => setIsRemoving(true)}>
          Remove
        </Button>
      </section>
      <Confirm
        title={`Make ${name} ${newRole ?? ""}?`}
        verb={`Make them ${newRole ?? ""}`}
        look={newRole === "admin" ? "danger" : "primary"}
        isOpen={newRole !== null}
        isBusy={setRole.isPending}
        problem={setRole.error?.message ?? null}
        onConfirm={() => newRole && setRole.mutate({ email, role: newRole })}
        onClose={() => {
          setNewRole(null);
          setRole.reset();
        }}
      >
        <p>{newRole && ROLE_WORDS[newRole]} It applies at once, including to pages that they have open.</p>
      </Confirm>
      <Confirm
        title={`Remove ${name}?`}
        verb="Remove them"
        isOpen={isRemoving}
        isBusy={remove.isPending}
        problem={remove.error?.message ?? null}
        onConfirm={() => remove.mutate({ email })}
        onClose={() => setIsRemoving(false)}
      >
        <p>They are signed out everywhere and can no longer sign in. What they did stays on record.</p>
      </Confirm>
    </div>
  );
}
