import type { Gateway } from "../../gateway.ts";
import type { AgentRow } from "../../store/tables/agents.ts";
import type { Conversation } from "../../terminals/shells/agent-terminals.ts";
import type { ConversationHints } from "../conversation.ts";

/** A conversation as a request brought it. */
export interface OpenConversation extends Conversation {
  /** Why its workspace is not the folder that the client asked for. */
  note: string | null;
}

/** Finds out which conversation a request belongs to, and in which folder it works. */
export async function openConversation(
  agent: AgentRow,
  { conversationId, workspace: asked }: ConversationHints,
  { workspaces }: Pick<Gateway, "workspaces">,
): Promise<OpenConversation> {
  const { workspace, note } = await workspaces.choose(agent, asked);
  return { id: conversationId, agent: { ...agent, workspace }, note };
}
