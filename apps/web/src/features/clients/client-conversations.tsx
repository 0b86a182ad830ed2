"use client";

import type { ClientConversationRow } from "@belay/agent-gateway/router";
import { HOOK_CLIENT_NAMES } from "@belay/protocol/client-names";
import { useQuery } from "@tanstack/react-query";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import { useAgents } from "@/features/approvals/use-agents.ts";
import { useQueryState } from "@/features/frame/use-query-state.ts";
import { Age } from "@/features/terminals/overview/age.tsx";
import { TimelineRow } from "@/features/terminals/pane/timeline.tsx";
import { useTRPC } from "@/trpc/client.ts";
import { Copyable } from "@/ui/controls/copyable.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { ListDetail } from "@/ui/lists/list-detail.tsx";
import { SelectList } from "@/ui/lists/select-list.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { keyOf } from "./conversation-key.ts";

/** Conversations of clients that use their own shell: what each asked for, and the outcome. There is no screen to watch. */
export function ClientConversations() {
  const { get, set } = useQueryState();
  const conversations = useQuery(useTRPC().clients.sessions.queryOptions({}, { refetchInterval: 5000 }));
  if (conversations.error && !conversations.data)
    return <Failure message={conversations.error.message} retry={() => void conversations.refetch()} />;
  if (!conversations.data) return <Loading what="clients" />;
  const conversation = conversations.data.find((candidate) => keyOf(candidate) === get("id")) ?? null;
  return (
    <ListDetail
      title="Clients"
      list={
        conversations.data.length === 0 ? (
          <NoClients />
        ) : (
          <ConversationList conversations={conversations.data} chosen={conversation} />
        )
      }
      detail={conversation && <ConversationDetail conversation={conversation} />}
      detailName="Conversation"
      onBack={() => set({ id: null })}
    />
  );
}

function ConversationList({
  conversations,
  chosen,
}: {
  conversations: ClientConversationRow[];
  chosen: ClientConversationRow | null;
}) {
  const agents = useAgents();
  return (
    <SelectList label="Conversations">
      {conversations.map((conversation) => (
        <li key={keyOf(conversation)}>
          <Link
            href={`/clients?id=${encodeURIComponent(keyOf(conversation))}`}
            aria-current={conversation === chosen ? "true" : undefined}
            className={`grid gap-0.5 px-4 py-2 pointer-coarse:min-h-11 ${conversation === chosen ? "bg-sunken" : "hover:bg-sunken"}`}
          >
            <span className="flex items-baseline gap-2 text-sm font-medium">
              {agents.nameOf(conversation.agentId)}
              <span className="font-normal text-muted">{HOOK_CLIENT_NAMES[conversation.client]}</span>
              <Age at={conversation.lastAt} suffix=" ago" className="ml-auto text-xs font-normal text-muted" />
            </span>
            <span className="truncate font-mono text-xs text-muted">{visibleText(conversation.cwd)}</span>
            <span className="text-xs text-muted">
              {conversation.calls === 1 ? "1 command" : `${conversation.calls} commands`}
            </span>
          </Link>
        </li>
      ))}
    </SelectList>
  );
}

function ConversationDetail({ conversation }: { conversation: ClientConversationRow }) {
  const { agentId, client, session: name } = conversation;
  const agents = useAgents();
  const commands = useQuery(
    useTRPC().clients.commands.queryOptions({ agentId, client, session: name }, { refetchInterval: 2000 }),
  );
  return (
    <div className="p-4 sm:p-5">
      <h2 className="text-lg font-semibold tracking-tight">
        {agents.nameOf(agentId)} <span className="font-normal text-muted">in {HOOK_CLIENT_NAMES[client]}</span>
      </h2>
      <p className="pb-3 text-sm text-muted">
        For the client's own shell, outside Belay's walls. Belay judged and recorded them, but did not see their output.
      </p>
      {commands.error && <Failure message={commands.error.message} retry={() => void commands.refetch()} />}
      {!commands.data && !commands.error && <Loading what="commands" />}
      <ol aria-label="Commands, newest first">
        {commands.data?.map((entry) => (
          <TimelineRow key={entry.id} entry={entry} />
        ))}
      </ol>
    </div>
  );
}

function NoClients() {
  return (
    <div className="mx-auto grid max-w-lg gap-3 py-16 text-sm">
      <p className="font-medium">No client asks yet</p>
      <p className="text-muted">
        Claude Code, Codex, Cursor and others have their own shell. With a hook they ask Belay before each command in
        it, and those commands appear here.
      </p>
      <Copyable text="npx belay connect claude" label="the command" />
    </div>
  );
}
