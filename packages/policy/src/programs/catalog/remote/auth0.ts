import { defineProgram, type Effect } from "../../define-program.ts";

export const AUTH0 = defineProgram({
  names: "auth0",
  does: "publish",
  isOpen: true,
  operands: "value",
  options:
    "--tenant: --json --csv --json-compact --no-input --no-color --debug -n: --number: --filter: -f: -q: --query: -s: --sort: -r=secret --reveal-secrets=secret -d:=publish --data:=publish",
  verbEffect: auth0Effect,
  runs: [
    "auth0 apps list",
    "auth0 universal-login prompts show login",
    "auth0 users search-by-email a@example.com",
    "auth0 api get clients",
    "auth0 api tenants/settings",
    "auth0 ap sit ips check 10.0.0.1",
  ],
  asks: [
    "auth0 apps delete x",
    "auth0 apps show x -r",
    "auth0 api delete clients/x",
    "auth0 api clients --data '{}'",
    "auth0 test token x",
    "auth0 users unblock x",
    "auth0 tenants use t",
    "auth0 domains verify x",
  ],
});

/** Groups of auth0 that contain groups: `auth0 ul prompts show login`. Their verb comes after the inner one. */
const AUTH0_INNER =
  /^(?:scopes|permissions|perms|roles?|blocks|members|mems|invitations|invs|default|templates?|provider|streams|prompts|ips|settings|partials|vault|(?:brute-force|breached-password|suspicious-ip|bot)-[\w-]+|bfp|bpd|sit|bd)$/;

function auth0Effect([group = "", ...rest]: readonly string[]): Effect | null {
  if (group === "") return "read";
  if (group === "completion" || group === "help") return "read";
  // It opens a session as a user, and prints the token.
  if (group === "test") return "secret";
  if (group === "api") {
    const [method = ""] = rest;
    if (/^delete$/i.test(method)) return "destroy";
    return method === "" || /^(?:post|put|patch)$/i.test(method) ? "publish" : "remote";
  }
  const verb = rest.find((word) => !AUTH0_INNER.test(word)) ?? "";
  if (/^(?:list|ls|show|search|search-by-email|diff|tail|check)$/.test(verb)) return "remote";
  return /^(?:delete|rm|remove)$/.test(verb)
    ? "destroy"
    : verb === "" && !/^log(?:in|out)$/.test(group)
      ? null
      : "publish";
}
