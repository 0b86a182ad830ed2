"use client";

import type { Approval } from "@belay/protocol";
import { useState } from "react";
import { useNow } from "@/features/terminals/use-now.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { useAnswerMany } from "./use-answer-many.ts";

const OLD_MS = 24 * 3_600_000;

/** Refuses all questions older than a day, which are hardly needed any more. */
export function ClearOld({ approvals }: { approvals: readonly Approval[] }) {
  const now = useNow();
  const [isAsking, setIsAsking] = useState(false);
  const many = useAnswerMany(() => setIsAsking(false));
  const old = approvals.filter(({ createdAt }) => now - createdAt > OLD_MS);
  if (old.length === 0) return null;
  return (
    <>
      <Button look="quiet" size="small" onClick={() => setIsAsking(true)}>
        Clear {old.length} older than a day
      </Button>
      <Confirm
        title={`Refuse ${old.length === 1 ? "1 command" : `${old.length} commands`}?`}
        verb="Refuse them"
        isOpen={isAsking}
        isBusy={many.isPending}
        onConfirm={() =>
          many.answer("deny", old, "This was not answered for more than a day. Ask again if you still need it.")
        }
        onClose={() => setIsAsking(false)}
      >
        <p>They have waited for more than a day. Their agents are told, and can ask again.</p>
      </Confirm>
    </>
  );
}
