"use client";

import type { TerminalId, TerminalInfo } from "@belay/protocol";
import { useMutation } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useMe } from "@/features/frame/use-me.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Confirm } from "@/ui/dialogs/confirm.tsx";
import { toast } from "@/ui/states/toast.tsx";
import type { LiveTerminal } from "../screen/live-terminal.ts";
import type { PenRequest, Typing } from "../screen/terminal-stream.ts";

/** Who types here, and buttons to pass it on. Only where people type, so not in an agent's terminal. */
export function PenBar({
  id,
  info,
  typing,
  live,
  request,
  onRequestSettled,
}: {
  id: TerminalId;
  info: TerminalInfo;
  typing: Typing;
  live: LiveTerminal | null;
  request: PenRequest | null;
  onRequestSettled(): void;
}) {
  const { canOperate, me } = useMe();
  const { pen } = typing;
  if (info.owner !== "user" || info.state.status !== "running" || !canOperate) return null;

  if (pen?.isYou && request)
    return (
      <Bar words={`${request.name} would like to type.`}>
        <Button
          size="small"
          onClick={() => {
            live?.givePen(request.personId);
            onRequestSettled();
          }}
        >
          Let them type
        </Button>
        <Button look="quiet" size="small" onClick={onRequestSettled}>
          Not now
        </Button>
      </Bar>
    );
  if (pen?.isYou)
    return info.isBorrowed ? (
      <Bar words="The agent waits while you type.">
        <HandBack id={id} live={live} />
        <KeepForGood id={id} />
      </Bar>
    ) : null;
  if (pen !== null && pen.personId !== me?.id)
    return (
      <Bar words={`${pen.name} is typing.`}>
        <AskForPen name={pen.name} live={live} />
        <TakePen name={pen.name} live={live} />
      </Bar>
    );
  return (
    <Bar words={pen === null ? "No one is typing here." : "You’re typing in another window."}>
      <Button size="small" onClick={() => live?.takePen()}>
        Type here
      </Button>
      {info.isBorrowed && <HandBack id={id} live={live} />}
    </Bar>
  );
}

function Bar({ words, children }: { words: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-accent-soft px-4 py-2 text-sm">
      <Pencil aria-hidden className="size-4 shrink-0 text-accent" />
      <p role="status" className="min-w-40 flex-1">
        {words}
      </p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}

function HandBack({ id, live }: { id: TerminalId; live: LiveTerminal | null }) {
  const handBack = useMutation(
    useTRPC().terminals.handBack.mutationOptions({
      onSuccess: () => live?.givePen(),
      onError: ({ message }) => toast(message),
    }),
  );
  return (
    <Button size="small" disabled={handBack.isPending} onClick={() => handBack.mutate({ id })}>
      Hand back to the agent
    </Button>
  );
}

function KeepForGood({ id }: { id: TerminalId }) {
  const keep = useMutation(useTRPC().terminals.promote.mutationOptions({ onError: ({ message }) => toast(message) }));
  return (
    <Button look="quiet" size="small" disabled={keep.isPending} onClick={() => keep.mutate({ id })}>
      Keep it for good
    </Button>
  );
}

function AskForPen({ name, live }: { name: string; live: LiveTerminal | null }) {
  return (
    <Button
      size="small"
      onClick={() => {
        live?.askForPen();
        toast(`Asked ${name} to let you type.`);
      }}
    >
      Ask to type
    </Button>
  );
}

function TakePen({ name, live }: { name: string; live: LiveTerminal | null }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button look="quiet" size="small" onClick={() => setIsAsking(true)}>
        Type instead
      </Button>
      <Confirm
        title={`Type instead of ${name}?`}
        verb="Type instead"
        look="primary"
        isOpen={isAsking}
        onConfirm={() => {
          setIsAsking(false);
          live?.takePen();
        }}
        onClose={() => setIsAsking(false)}
      >
        <p>{name} may be in the middle of a line. They see that you took over, and the record says so.</p>
      </Confirm>
    </>
  );
}
