import { isKnown } from "../../../language/state/values.ts";
import { defineProgram, type Effect, type ProgramUse, type VerbSpec } from "../../define-program.ts";
import { has } from "../use.ts";

const READ_VERBS =
  /^(list|ls|view|show|status|get|diff|checks|watch|search|verify|field-list|item-list|check|verify-asset)$/;

/** `gh api` reads unless a method or a field says otherwise. */
function apiEffect({ options, operands }: ProgramUse): Effect {
  // `-H 'X-HTTP-Method-Override: DELETE'`: the method that counts.
  if (options.some(({ value }) => /^\s*x-(?:http-)?method(?:-override)?\s*:/i.test(value?.text ?? "")))
    return "publish";
  const method = options.find(({ name }) => name === "-X" || name === "--method")?.value?.text.toUpperCase();
  const path = operands[0]?.text ?? "";
  const fields = options.filter(({ name }) => /^(-f|-F|--field|--raw-field|--input)$/.test(name));
  if (fields.some(({ value }) => /=@/.test(value?.text ?? "")) || options.some(({ name }) => name === "--input"))
    return "publish";
  if (path === "graphql" || path.endsWith("/graphql"))
    return isGraphqlQuery(fields.flatMap(({ value }) => value?.text ?? [])) ? "remote" : "publish";
  if (method !== undefined && method !== "GET" && method !== "HEAD") return "publish";
  return method === undefined && fields.length > 0 ? "publish" : "remote";
}

/** Whether the text of the query is known and changes nothing. The other fields are its variables. */
function isGraphqlQuery(fields: readonly string[]): boolean {
  const queries = fields.map((text) => text.trimStart()).filter((text) => text.startsWith("query="));
  return queries.length > 0 && queries.every(isKnown) && !fields.some((text) => /\bmutation\b/i.test(text));
}

const group = (reads: string, others: string, does: Effect = "publish") => {
  const rest = others.split(" ");
  const destroys = rest.filter((verb) => /^(delete|remove|rm|stop)/.test(verb)).join(" ");
  const changes = rest.filter((verb) => !/^(delete|remove|rm|stop)/.test(verb)).join(" ");
  const verb = (effect: Effect) => ({ does: effect, operands: "value" as const });
  return {
    ...verb(does),
    isOpen: true,
    verbs: {
      [reads]: verb("remote"),
      ...(changes === "" ? {} : { [changes]: verb(does) }),
      ...(destroys === "" ? {} : { [destroys]: verb("destroy") }),
    },
  };
};

const withVerbs = (given: ReturnType<typeof group>, verbs: Readonly<Record<string, VerbSpec | Effect>>): VerbSpec => ({
  ...given,
  verbs: { ...given.verbs, ...verbs },
});

export const FORGES = [
  defineProgram({
    names: "gh",
    does: "publish",
    isOpen: true,
    options:
      "-R: --repo: --hostname:h --json: -q: --jq: -t: --template: --title: --body: -L: --limit: -w=change --web?=change",
    operands: "value",
    verbs: {
      "status version help completion": { does: "remote", operands: "value" },
      pr: group(
        "list ls view diff checks status",
        "create close merge edit comment review ready reopen lock unlock update-branch checkout co revert",
      ),
      issue: withVerbs(
        group("list ls view status", "create new close comment delete edit lock pin reopen transfer unlock unpin"),
        {
          // It creates a branch; with this option it shows those that exist.
          develop: {
            does: "publish",
            operands: "value",
            options: "-l --list",
            check: (use) => (has(use, "-l", "--list") ? "remote" : null),
          },
        },
      ),
      repo: withVerbs(group("list ls view", "create new clone delete edit fork rename sync archive unarchive"), {
        "deploy-key autolink": group("list ls view", "add create delete"),
        "gitignore license": group("list ls view", ""),
        "set-default": {
          does: "publish",
          operands: "value",
          options: "-v --view -u --unset",
          check: (use) => (has(use, "-v", "--view") ? "remote" : null),
        },
      }),
      run: withVerbs(group("view watch", "cancel delete download rerun"), {
        "list ls": { does: "remote", operands: "value", options: "-w: --workflow:" },
      }),
      workflow: group("list ls view", "run enable disable"),
      release: group("list ls view verify verify-asset", "create delete delete-asset download edit upload"),
      gist: withVerbs(group("view", "create new clone delete edit rename"), {
        "list ls": { does: "remote", operands: "value", options: "--secret --public" },
      }),
      "agent-task agent-tasks agent": group("list ls view", "create"),
      label: group("list ls", "create clone delete edit"),
      project: group(
        "list ls view field-list item-list",
        "close copy create delete edit field-create field-delete item-add item-archive item-create item-delete item-edit link mark-template unlink",
      ),
      // `--filename go.mod` is a part of what is searched for.
      search: {
        does: "publish",
        operands: "value",
        isOpen: true,
        verbs: {
          "code commits issues prs repos": {
            does: "remote",
            operands: "value",
            options: "--filename: --extension: -e:",
          },
        },
      },
      cache: group("list ls", "delete"),
      "codespace cs": withVerbs(group("list ls view logs", "code cp create delete edit jupyter rebuild ssh stop"), {
        // Without a verb it lists them.
        ports: { does: "remote", operands: "value", verbs: { "visibility forward": "publish" } },
      }),
      "extension ext extensions": group("list ls search", "browse create exec install remove upgrade", "install"),
      config: {
        ...group("get list ls", "set clear-cache", "change"),
        options: "--host: -h:",
        check: ({ operands }) => (operands.some(({ text }) => /token|secret/i.test(text)) ? "secret" : null),
      },
      alias: group("list ls", "set delete import", "change"),
      secret: group("list ls", "set delete remove", "publish"),
      variable: group("list ls get", "set delete remove", "publish"),
      "ssh-key gpg-key": group("list ls", "add delete", "publish"),
      "ruleset rs": group("list ls view check", ""),
      org: group("list ls", ""),
      attestation: group("verify trusted-root", "download", "change"),
      at: group("verify", "download", "change"),
      auth: {
        does: "change",
        operands: "value",
        isOpen: true,
        verbs: {
          status: {
            does: "remote",
            options: "-t=secret --show-token=secret -h: --hostname: -a --active",
            operands: "value",
          },
          "token git-credential": "secret",
          "login logout refresh setup-git switch": { does: "change", operands: "value" },
        },
      },
      api: {
        does: "remote",
        isOpen: true,
        operands: "value",
        options:
          "-X: --method: -f: -F: --field: --raw-field: --input:r -H: --header: -i --include --paginate --slurp --silent --verbose --cache: -p: --preview:",
        check: apiEffect,
      },
      browse: {
        does: "change",
        operands: "value",
        options: "-n=read --no-browser=read",
        check: ({ options }) => (options.some(({ name }) => /^(-n|--no-browser)$/.test(name)) ? "read" : null),
      },
    },
    runs: [
      "gh pr view 123 --json title",
      "gh run view 1 --log-failed",
      "gh api repos/o/r/pulls",
      "gh -R o/r issue list",
      "gh search code 'x' --language go",
      "gh api -X GET search/issues -f q=x",
      "gh issue develop --list 5",
      "gh repo deploy-key list",
      "gh repo set-default --view",
      "gh run list -w test.yml",
      "gh cs ports",
      "gh gist list --secret",
      "gh agent-task view 2",
      "gh rs view 3",
      "gh api graphql -F owner=me -f query='query($owner:String!){user(login:$owner){id}}'",
    ],
    asks: [
      "gh pr create --fill",
      "gh api -X PUT x",
      "gh auth token",
      "gh repo delete",
      "gh api graphql -f query='mutation{}'",
      "gh release download v1",
      "gh secret set X",
      "gh run cancel 1",
      "gh auth status --show-token",
      "gh issue develop 5",
      "gh repo deploy-key add k.pub",
      "gh repo set-default o/r",
      "gh cs ports visibility 80:public",
      "gh run view 5 -w",
      "gh api graphql -f a=1 -f query='mutation{x}'",
      'gh api graphql -f query="$(cat q.graphql)"',
    ],
  }),
  defineProgram({
    names: "glab tea hub",
    does: "publish",
    isOpen: true,
    options: "-R: --repo: -g: --group: -P: -p: -w=change --web=change -t=secret --show-token=secret",
    operands: "value",
    verbEffect: (words) => {
      const [object = "", verb = ""] = words;
      if (/^(version|help|completion|check-update)$/.test(object)) return "read";
      if (object === "auth") return verb === "status" ? "remote" : "change";
      if (object === "api") return null;
      if (
        /^(mr|issue|repo|pipeline|ci|release|label|snippet|milestone|schedule|user|runner|cluster|incident|iteration|pr|pulls|issues|repos|releases|times|orgs|branches)$/.test(
          object,
        )
      )
        return READ_VERBS.test(verb) || /^(events|trace|lint|activity)$/.test(verb) ? "remote" : "publish";
      if (object === "variable" || object === "token")
        // A list of variables shows their values; a list of tokens does not.
        return /^(list|ls|get|export)$/.test(verb) ? (object === "token" ? "remote" : "secret") : "publish";
      return "publish";
    },
    runs: ["glab mr list", "glab ci status", "glab issue view 3"],
    asks: ["glab mr merge 1", "glab variable get X", "glab variable list", "glab api -X POST x"],
  }),
];
