"use client";

import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { formatBytes } from "@/features/terminals/overview/activity.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Choices } from "@/ui/controls/choices.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { toast } from "@/ui/states/toast.tsx";

type Age = "30" | "7" | "all";

/** Deletes for good, after a confirmation. */
export function EmptyTrash({ onEmptied }: { onEmptied(): Promise<void> }) {
  const [isOpen, setIsOpen] = useState(false);
  const [age, setAge] = useState<Age>("30");
  const empty = useMutation(
    useTRPC().trash.empty.mutationOptions({
      onSuccess: ({ removedItems, freedBytes }) => {
        setIsOpen(false);
        toast(
          removedItems === 0
            ? "Nothing is that old."
            : `${removedItems} deleted, ${formatBytes(freedBytes)} free again.`,
        );
        return onEmptied();
      },
    }),
  );
  return (
    <>
      <Button look="danger-quiet" size="small" onClick={() => setIsOpen(true)}>
        <Trash2 aria-hidden className="size-4" /> Empty
      </Button>
      <Confirm
        title="Empty the trash?"
        verb="Delete for good"
        isOpen={isOpen}
        isBusy={empty.isPending}
        problem={empty.error?.message ?? null}
        onConfirm={() => empty.mutate(age === "all" ? {} : { olderThanDays: Number(age) })}
        onClose={() => setIsOpen(false)}
      >
        <Choices
          legend="What was removed"
          choices={[
            { value: "30", label: "over 30 days ago" },
            { value: "7", label: "over 7 days ago" },
            { value: "all", label: "all of it" },
          ]}
          value={age}
          onChange={setAge}
        />
        <p>It is deleted from the disk and cannot be restored. That it was done stays on record.</p>
      </Confirm>
    </>
  );
}
