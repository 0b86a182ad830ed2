import type { Approval } from "@belay/protocol";

const MAX_COMMAND_LENGTH = 500;

/** The format that Slack, Mattermost, Rocket.Chat and Discord's `/slack` address share: text, and one coloured attachment. */
export interface SlackMessage {
  text: string;
  attachments: { color: string; fallback: string; text: string; mrkdwn_in: string[] }[];
}

export function approvalMessage(
  approval: Approval,
  options: { agentName: string; url: string; tellsCommand: boolean; unansweredMinutes: number | null },
): SlackMessage {
  const { verdict, subject } = approval;
  const isDangerous = verdict.level === "dangerous";
  const what = isDangerous ? "a dangerous command" : "a command";
  const minutes = options.unansweredMinutes;
  const late = minutes === null ? "" : ` Unanswered for ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
  const text = `*${plain(options.agentName)}* waits for a person: ${what}.${late} <${options.url}/approvals?id=${approval.id}|Answer it>`;
  const reason = verdict.matches[0]?.reason;
  const details = [
    ...(options.tellsCommand ? [`\`\`\`${fenced(subject.text)}\`\`\``] : []),
    ...(reason ? [plain(reason)] : []),
  ].join("\n");
  const color = isDangerous ? "#b3261e" : "#c77700";
  return { text, attachments: [{ color, fallback: text, text: details, mrkdwn_in: ["text"] }] };
}

export function testMessage(url: string): SlackMessage {
  const text = `This is a test message from Belay. <${url}/approvals|Waiting approvals>`;
  return { text, attachments: [] };
}

/** Commands and names come from agents: nothing in them may become a link, a mention or a format. */
function plain(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[*_~`]/g, (character) => `\u200b${character}`);
}

function fenced(text: string): string {
  const short = text.length > MAX_COMMAND_LENGTH ? `${text.slice(0, MAX_COMMAND_LENGTH)} …` : text;
  const escaped = short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  // Three backticks would end the block.
  return escaped.replaceAll("```", "`\u200b`\u200b`");
}
