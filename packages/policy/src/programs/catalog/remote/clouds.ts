import { defineProgram, type Effect } from "../../define-program.ts";
import { has } from "../use.ts";

/** Clients of hosting platforms and smaller clouds. */
export const CLOUDS = defineProgram({
  names:
    "gsutil bq doctl linode-cli hcloud flyctl fly heroku vercel netlify firebase wrangler railway render supabase-cloud ibmcloud oci aliyun scw exo vultr-cli civo sentry-cli stripe twilio datadog-ci pscale turso neonctl planetscale upstash sst sam copilot eb ecs-cli cf dokku clever platform upsun eas expo-cli fastlane ngrok-api circleci travis buildkite-agent jira linear confluent temporal tctl nats rabbitmqctl rabbitmqadmin influx yc openstack koyeb tkn databricks",
  does: "publish",
  isOpen: true,
  operands: "value",
  options:
    "-p: --project: --tenant: -t: --app: -a: --org: -o: --output: --scope: --site: --json --format: -n: --limit: --filter: --token:=change --api-url:h --server:h --outdir:w --uri=secret",
  verbEffect: platformEffect,
  // `wrangler deploy --dry-run` only bundles, and `sam build` only compiles.
  check: (use) => {
    // Its list has the values, too.
    if (use.name === "sst" && use.operands[0]?.text === "secret") return "secret";
    return (use.name === "wrangler" && use.operands[0]?.text === "deploy" && has(use, "--dry-run")) ||
      (use.name === "wrangler" && use.operands[0]?.text === "types") ||
      (use.name === "sam" && use.operands[0]?.text === "build")
      ? "work"
      : null;
  },
  runs: [
    "wrangler deploy --dry-run",
    "sam build",
    "wrangler types",
    "vercel ls",
    "firebase projects:list",
    "heroku apps",
    "fly status",
    "gsutil ls gs://b",
    "influx bucket list",
    "openstack server list",
    "yc compute instance list",
  ],
  asks: [
    "vercel --prod",
    "heroku restart",
    "firebase deploy",
    "gsutil rm -r gs://b",
    "eas build -p ios",
    "sam deploy",
    "vercel remove x",
    "fly secrets set A=b",
    "exo config show",
    "sst secret list",
    "influx write -b b 'm v=1'",
    "influx auth list",
    "yc iam create-token",
    "openstack token issue",
    "databricks clusters start x",
    "dokku config:show app",
    "doctl databases user get x y",
    "exo dbaas show x --uri",
  ],
});

/** Verbs that hosting platforms and services have in common. Without a verb, some of them deploy. */
function platformEffect(words: readonly string[]): Effect | null {
  if (words.length === 0) return "publish";
  // `apps:delete`, `env-vars`: each part is a word.
  const parts = new Set(words.flatMap((word) => word.split(/[:\-_./]/)));
  const hasPart = (...names: readonly string[]) => names.some((name) => parts.has(name));
  if (hasPart(..."delete destroy remove rm purge drop terminate kill reset".split(" "))) return "destroy";
  const showsEnv =
    parts.has("env") && (hasPart("pull", "list", "ls", "get") || words.some((word) => word.startsWith("env:")));
  const isOfSecrets =
    hasPart(..."token tokens secret secrets credential credentials authorization authorizations key keys".split(" ")) ||
    (parts.has("print") && parts.has("access")) ||
    words.some((word) => /^config:(?:get|show|export|bundle)$/.test(word)) ||
    // The settings of the client itself, with its keys.
    (/^(?:config|configure|context)$/.test(words[0] ?? "") && hasPart("show", "list", "ls", "get", "view", "dump"));
  // The accounts of a database come with their passwords.
  if (hasPart("database", "databases") && hasPart("user", "users") && hasPart("get", "list", "ls", "show"))
    return "secret";
  // `influx auth list`: what one signs in with.
  if (parts.has("auth") && hasPart("list", "ls", "find")) return "secret";
  if (showsEnv || isOfSecrets)
    return hasPart("list", "ls") && !hasPart("auth", "token", "tokens", "env") ? "remote" : "secret";
  if (words.some((word) => WRITES.test(word))) return "publish";
  return words.some((word) => READS.test(word)) || NOUNS.test(words.at(-1) ?? "") ? "remote" : "publish";
}

const WRITES =
  /^(create|update|add|set|deploy|open|use|restart|scale|run|start|stop|push|publish|link|unlink|login|logout|init|import|export|download|upload|cp|mv|rsync|sync|rollback|promote|build|submit|invoke|exec|ssh|console|attach|detach|customize|enable|disable|patch|put|post|edit|rename|migrate|provision|apply|up|down|alias|dev|pull|execute|query|sql|shell|connect|proxy|tunnel|trigger|retry|approve|cancel|revoke|rotate|grant|register|send|produce|call|replay|ack)$|^[\w-]+:(create|set|deploy|update|add|import|export|run|exec|restart|scale|open|promote|rollback|enable|disable|push)$/;
const READS =
  /^(ls|list|show|view|info|status|get|retrieve|describe|logs|log|tail|ps|whoami|version|help|inspect|[\w-]+:(list|info|show|status|log|logs)|diff|history|stat|du|head|search|check|validate|print|synth|usage|metrics|events)$/;
/** Verbs that only list if they have no arguments. */
const NOUNS = /^(apps|releases|regions|projects|domains|addons|orgs|sites|functions|teams|me)$/;
