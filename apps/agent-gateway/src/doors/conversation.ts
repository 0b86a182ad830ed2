import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";

/** Names the conversation of a request; a client that sends the same name gets the same shell. */
export const CONVERSATION_HEADER = "belay-conversation";
/** The client's folder, percent-encoded: header values are ASCII. */
export const WORKSPACE_HEADER = "belay-workspace";
/** The same name in the `_meta` of one call. */
export const CONVERSATION_META = "belay/conversation";

export const ConversationId = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, "A conversation id has 1 to 128 visible ASCII characters, without spaces.");

const NamedConversation = ConversationId.nullable();
const NamedWorkspace = z.string().max(4096).nullable();

/** What a request says about its conversation. */
export interface ConversationHints {
  conversationId: string | null;
  workspace: string | null;
}

/** Reads them from the address, then from the headers; a session of the 2025 protocol is a conversation too. */
export function readConversationHints(
  query: Readonly<Record<string, unknown>>,
  headers: IncomingHttpHeaders,
): { ok: true; value: ConversationHints } | { ok: false; message: string } {
  const named = query.conversation ?? headers[CONVERSATION_HEADER] ?? headers["mcp-session-id"];
  const id = NamedConversation.safeParse(named ?? null);
  if (!id.success) return { ok: false, message: id.error.issues[0]?.message ?? "That is not a valid conversation id." };
  const workspace = NamedWorkspace.safeParse(query.workspace ?? decoded(headers[WORKSPACE_HEADER]));
  if (!workspace.success) return { ok: false, message: "A workspace must be the path of a folder." };
  return { ok: true, value: { conversationId: id.data, workspace: workspace.data } };
}

function decoded(value: string | string[] | undefined): string | null {
  if (typeof value !== "string") return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // a path with an unencoded percent sign
  }
}
