import type { Gateway } from "../../gateway.ts";
import type { AgentRow } from "../../store/tables/agents.ts";
import type { Conversation } from "../../terminals/shells/agent-terminals.ts";
import type { ConversationHints } from "../conversation.ts";

/** The conversation of a request. */
export interface OpenConversation extends Conversation {
  /** Why its workspace is not the folder that the client requested. */
  note: string | null;
}

/** Determines the conversation of a request, and its folder. */
export async function openConversation(
  agent: AgentRow,
  { conversationId, workspace: asked }: ConversationHints,
  { workspaces }: Pick<Gateway, "workspaces">,
): Promise<OpenConversation> {
  const { workspace, note } = await workspaces.choose(agent, asked);
  return { id: conversationId, agent: { ...agent, workspace }, note };
}
