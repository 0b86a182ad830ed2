import type { Approval } from "@belay/protocol";
import { expect, test } from "vitest";
import { approvalMessage } from "./slack-message.ts";

const approval = (text: string, level: "unknown" | "dangerous" = "unknown") =>
  ({
    id: "apr-1",
    subject: { text },
    verdict: { level, matches: [{ reason: "Not known to be safe." }] },
  }) as unknown as Approval;
const options = { agentName: "builder", url: "https://belay.example", tellsCommand: true, unansweredMinutes: null };

test("W10 a message says who waits, for what, why, and where to answer", () => {
  expect(approvalMessage(approval("make deploy", "dangerous"), options)).toEqual({
    text: "*builder* waits for a person: a dangerous command. <https://belay.example/approvals?id=apr-1|Answer it>",
    attachments: [
      {
        color: "#b3261e",
        fallback: expect.stringContaining("*builder*"),
        text: "```make deploy```\nNot known to be safe.",
        mrkdwn_in: ["text"],
      },
    ],
  });
});

test("W10 nothing in a command or a name becomes a link, a mention or a format", () => {
  const message = approvalMessage(approval("echo ```<!channel> & <https://evil.example|Approve>"), {
    ...options,
    agentName: "*<@U1>*",
  });

  const all = JSON.stringify(message).replaceAll("<https://belay.example/approvals?id=apr-1|Answer it>", "");
  expect(all).not.toMatch(/<[!@h]/);
  expect(message.attachments[0]?.text.match(/```/g)).toHaveLength(2);
});

test("W10 the command is left out if an admin chose that", () => {
  const message = approvalMessage(approval("make secret-thing"), { ...options, tellsCommand: false });

  expect(JSON.stringify(message)).not.toContain("secret-thing");
});
