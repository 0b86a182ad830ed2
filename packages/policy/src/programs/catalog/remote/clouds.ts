import { defineProgram, type Effect } from "../../define-program.ts";
import { has } from "../use.ts";

/** Read-only verbs of AWS, and the few of them that return a secret or run something. */
const AWS_READS =
  /^(describe|list|get|batch-get|head|lookup|search|scan|query|filter|tail|select|test-dns|validate|estimate|preview|check|decode|detect|simulate|view|count|show|explain|verify|ls|wait|help|batch-check|batch-describe|is)(-|$)/;
const AWS_SECRETS =
  /^(get-secret-value|batch-get-secret-value|get-random-password|get-parameters?|get-parameters-by-path|get-parameter-history|get-session-token|get-federation-token|get-login-password|get-login|get-authorization-token|get-credentials|get-credentials-for-identity|get-open-id-token|get-open-id-token-for-developer-identity|get-password-data|get-cluster-credentials|get-cluster-credentials-with-iam|get-token|get-role-credentials|get-function-configuration|get-function|get-signing-key|get-private-key|get-connection-credentials|get-workload-access-token|get-api-keys?|list-api-keys|get-domain-auth|get-admin-credentials|get-relational-database-master-user-password|get-instance-access-details|get-user-pool-client|describe-user-pool-client|export-credentials|get-auth-token|get-access-token|generate-db-auth-token|get-share-token|get-device-credentials|get-object|get-records|get-shard-iterator|get-item|batch-get-item|query|scan|select-object-content|get-query-results|get-query-results-stream)$/;
/** `get-role-credentials`, `get-relational-database-master-user-password`: what such a verb returns. */
const AWS_TELLS =
  /^(?:batch-)?(?:get|describe|list|retrieve|download)-(?:.+-)?(?:credentials|passwords?|secret-values?|tokens?|private-keys?|key-pair|auth-string)$/;
const AWS_CHANGES = /^(get-federation)$/;

function awsEffect(words: readonly string[]): Effect | null {
  const [service = "", verb = "", ...rest] = words;
  if (service === "" || service === "help") return "read";
  if (verb === "help" || rest.includes("help")) return "read";
  if (service === "configure")
    return /^(list|list-profiles|get)$/.test(verb)
      ? verb === "get"
        ? "secret"
        : "read"
      : /^export-credentials$/.test(verb)
        ? "secret"
        : "change";
  if (AWS_TELLS.test(verb) || (service === "glue" && verb === "get-connection")) return "secret";
  if (service === "sso" || service === "login" || service === "logout") return "change";
  if (service === "s3") {
    if (verb === "ls") return "remote";
    return verb === "presign" ? "secret" : /^(rm|rb)$/.test(verb) ? "destroy" : "publish";
  }
  if (service === "sts")
    return /^(get-caller-identity|get-access-key-info|decode-authorization-message)$/.test(verb) ? "remote" : "secret";
  if (service === "secretsmanager" && /^(get-secret-value|batch-get-secret-value|get-random-password)$/.test(verb))
    return "secret";
  if (service === "ssm" && /^(get-parameter|get-parameters|get-parameters-by-path|get-parameter-history)$/.test(verb))
    return "secret";
  if (service === "ssm" && verb === "start-session") return "publish";
  if (service === "logs" && /^(tail|filter-log-events|start-query|get-query-results|get-log-events)$/.test(verb))
    return verb === "start-query" ? "remote" : "remote";
  if (verb === "") return null;
  if (
    /^(delete|terminate|remove|purge|deregister|destroy|drop|empty|revoke|detach|disable|stop|cancel|batch-delete|admin-delete|release|schedule-key-deletion)(-|$)/.test(
      verb,
    )
  )
    return "destroy";
  if (
    AWS_SECRETS.test(verb) &&
    !/^(get-item|batch-get-item|query|scan|get-records|get-shard-iterator|get-query-results|get-function|get-function-configuration)$/.test(
      verb,
    )
  )
    return verb === "get-object" ? "change" : "secret";
  if (AWS_CHANGES.test(verb)) return "change";
  return AWS_READS.test(verb) ? "remote" : "publish";
}

const GCLOUD_READS =
  /^(list|describe|get|get-iam-policy|get-value|get-ancestors|get-ancestors-iam-policy|list-tags|list-grantable-roles|list-testable-permissions|list-deleted|list-instances|list-usable|list-runtimes|list-errors|list-ip-owners|list-ip-addresses|list-revisions|list-versions|search|search-all-resources|search-all-iam-policies|read|tail|info|version|help|topic|get-status|get-health|get-serial-port-output|get-shielded-identity|get-guest-attributes|get-server-config|get-effective-firewalls|get-diagnostics|get-router-status|get-nat-mapping-info|get-config|get-project-settings|get-policy|diff|check-upgrade|lint-condition|query-activity|validate|test-iam-permissions|get-keys|ls|du|hash|stat|wait|show|diagnose|cheat-sheet|get-metadata|get-info|operations-list|get-public-key|status|analyze-iam-policy|simulate|explain|list-commands)$/;

function gcloudEffect(words: readonly string[]): Effect | null {
  const all = words.filter((word) => !/^(alpha|beta|preview)$/.test(word));
  const [first = "", second = "", third = ""] = all;
  if (first === "" || /^(info|version|help|topic|cheat-sheet|feedback)$/.test(first)) return "read";
  if (first === "auth")
    return /^(list|describe)$/.test(second)
      ? "remote"
      : /^print-/.test(second) || (second === "application-default" && /^print-/.test(third))
        ? "secret"
        : "change";
  if (first === "config") {
    if (second === "config-helper") return "secret";
    if (/^(list|get-value|get|configurations)$/.test(second))
      return second !== "configurations" || /^(list|describe)$/.test(third) ? "read" : "change";
    return "change";
  }
  if (first === "secrets")
    return all.includes("access")
      ? "secret"
      : all.some((word) => /^(list|describe|get-iam-policy)$/.test(word))
        ? "remote"
        : "publish";
  if (all.includes("ssh") || all.includes("connect-to-serial-port") || all.includes("start-iap-tunnel"))
    return "publish";
  if (first === "container" && all.includes("get-credentials")) return "change";
  if (first === "kms" && /^(decrypt|encrypt|asymmetric-sign|mac-sign|raw-decrypt)$/.test(second)) return "secret";
  if (all.includes("keys") && first === "iam" && all.includes("create")) return "secret";
  if (all.some((word) => /^get-(?:.+-)?(?:key-string|auth-string|passwords?|credentials|tokens?)$/.test(word)))
    return "secret";
  if (all.includes("get-key-string") || all.includes("generate-login-token")) return "secret";
  if (first === "builds" && second === "log") return "remote";
  if (first === "storage" && (second === "cat" || second === "cp" || second === "mv" || second === "rsync"))
    return "publish";
  const verb = all
    .slice(1)
    .find(
      (word) =>
        GCLOUD_READS.test(word) ||
        /^(delete|create|update|set|add|remove|deploy|start|stop|reset|enable|disable|patch|export|import|clone|restore|promote|resize|move|rm|execute|run|call|submit|undelete|publish|pull|ack|write|sign|attach|detach|activate|add-iam-policy-binding|remove-iam-policy-binding|set-iam-policy|rollback|cancel|kill|suspend|resume|restart|failover|abandon|recreate-instances|rolling-action|ssh|scp|browse|replace|migrate|install|upgrade|login|revoke|register|unregister|bind|grant)$/.test(
          word,
        ),
    );
  // Many verbs belong to one service only. What no list knows may change something.
  if (verb === undefined) return all.length > 2 ? "publish" : null;
  if (/^(delete|rm|remove|reset|kill|destroy)$/.test(verb)) return "destroy";
  return GCLOUD_READS.test(verb) ? "remote" : "publish";
}

const AZ_READS =
  /^(list|show|get|exists|query|version|find|list-.+|show-.+|get-.+|check-.+|what-if|validate|history|usage|summarize|metrics|export-template)$/;
const AZ_SECRETS =
  /^(get-access-token|get-credentials|list-keys|show-connection-string|list-connection-strings|list-publishing-credentials|list-publishing-profiles|get-secret|get-key|list-admin-key|list-query-key|connection-string|generate-sas|list-secrets|show-secrets|list-credentials|get-upgrade-credentials|list-account-sas|list-service-sas|list-runtimes-secret|get-backup-credentials|list-cluster-admin-credential|get-shared-keys|list-api-keys|list-auth-keys)$/;
const AZ_TELLS = /^(?:list|get|show)-(?:.+-)?(?:keys?|secrets?|tokens?|credentials?|passwords?|connection-strings?)$/;
/** Things that are listed with their values. A key vault lists only names. */
const AZ_KEYS = /^(?:.+-)?(?:keys?|secrets?)$|^(?:api|auth)keys?$|^test-endpoint$/;

function azEffect(words: readonly string[]): Effect | null {
  const [first = "", second = ""] = words;
  if (first === "") return "read";
  if (/^(version|find|feedback|help)$/.test(first)) return "read";
  if (
    /^(login|logout|configure|upgrade|interactive|init|extension|cloud|cache|rest|config|self-test|ssh|bicep)$/.test(
      first,
    )
  ) {
    if (first === "rest" || first === "ssh" || first === "interactive") return "publish";
    if (first === "configure") return "change";
    return /^(list|list-available|show|get|list-versions|version|list-clouds)$/.test(second) ||
      (first === "config" && second === "get")
      ? "remote"
      : "change";
  }
  // The verb is the last word before the options. A word after them is an operand.
  const verb = words.findLast((word) => AZ_READS.test(word) || AZ_SECRETS.test(word) || AZ_WRITES.test(word)) ?? "";
  if (first === "account" && verb === "get-access-token") return "secret";
  if (words.includes("keyvault") && words.includes("secret") && /^(show|download|backup)$/.test(verb)) return "secret";
  if (
    /^(list|show)$/.test(verb) &&
    words.some((word) => AZ_KEYS.test(word)) &&
    first !== "keyvault" &&
    first !== "sshkey"
  )
    return "secret";
  if (words.includes("appsettings") && verb === "list") return "secret";
  if (words.includes("connection-string") && /^(list|show)$/.test(verb)) return "secret";
  if (words.includes("credential") && /^(show|list)$/.test(verb)) return "secret";
  if (AZ_SECRETS.test(verb) || AZ_TELLS.test(verb)) return "secret";
  if (words[0] === "devops" && second === "configure") return "change";
  if (/^(delete|purge|stop|deallocate|remove|clear|reset|cancel|regenerate|.+-delete|delete-.+)$/.test(verb))
    return "destroy";
  if (
    AZ_READS.test(verb) ||
    ((words.includes("logs") || words.includes("log")) && /^(show|tail|logs)$/.test(words.at(-1) ?? "")) ||
    words.at(-1) === "logs"
  )
    return "remote";
  return verb === "" ? null : "publish";
}

const AZ_WRITES =
  /^(create|delete|update|set|add|remove|start|stop|restart|deallocate|purge|recover|restore|upload|upload-batch|download|download-batch|copy|move|import|export|invoke|run|run-command|exec|attach|detach|enable|disable|assign|reset|regenerate|regenerate-keys|generalize|redeploy|resize|open-port|grant|revoke|approve|reject|queue|publish|deploy|up|browse|swap|sync|scale|upgrade|rotate|renew|cancel|clear|wait|login|logout|register|unregister|install|uninstall|build|apply|lock|unlock|failover|add-record|remove-record|deployment|config-zip|cordon|sas|snapshot|invite|tag|untag|move-to|link|unlink|bind|unbind|allow|deny|mount|start-.+|stop-.+|set-.+|update-.+|create-.+|delete-.+|add-.+|remove-.+|reset-.+|regenerate-.+|enable-.+|disable-.+)$/;

const CLOUD_OPTIONS =
  "--command: --output: -o: --query: --profile: --region: --project: --format: --filter: --limit: --zone: --location: -l: -n: -g: --name: --resource-group: --subscription: --account: --configuration: --page-size: --max-items: --no-cli-pager --no-paginate --color: --debug --verbosity: --quiet -q --sort-by: --global --regional --uri --flatten: --cli-read-timeout: --cli-connect-timeout: --no-cli-auto-prompt --starting-token: --page-token: --start-time: --end-time: --billing-project: --impersonate-service-account:=change --access-token-file:r=change --flags-file:c --endpoint-url:h --ca-bundle:h --no-verify-ssl?h --no-sign-request --only-show-errors --verbose --debug --ids: -c: --with-decryption=secret --decrypt=secret --show-secrets=secret --outfile:w --log-http";

export const CLOUDS = [
  defineProgram({
    names: "aws awslocal",
    does: "remote",
    isOpen: true,
    optionsTakeValues: true,
    options: CLOUD_OPTIONS,
    operands: "value",
    verbEffect: awsEffect,
    runs: [
      "aws s3 ls",
      "aws ec2 describe-instances --query 'R[].I'",
      "aws --region us-east-1 sts get-caller-identity",
      "aws logs tail /x --follow",
      "aws iam list-users help",
    ],
    asks: [
      "aws s3 rm s3://b/k",
      "aws s3 cp a s3://b/",
      "aws secretsmanager get-secret-value --secret-id x",
      "aws ec2 run-instances --image-id x",
      "aws ssm get-parameters --names x --with-decryption",
      "aws --endpoint-url http://evil s3 ls",
      "aws lambda invoke --function-name x o",
      "aws configure get aws_secret_access_key",
      "aws sso get-role-credentials --role-name x",
      "aws glue get-connection --name x",
    ],
  }),
  defineProgram({
    names: "gcloud",
    does: "remote",
    isOpen: true,
    optionsTakeValues: true,
    options: CLOUD_OPTIONS,
    operands: "value",
    wraps: { skip: 99, code: ["--command"], effect: "remote", isOpaque: true },
    verbEffect: gcloudEffect,
    runs: [
      "gcloud config list",
      "gcloud compute instances list",
      "gcloud --project=p run services describe s",
      "gcloud projects get-iam-policy p",
    ],
    asks: [
      "gcloud auth print-access-token",
      "gcloud compute instances delete x",
      "gcloud secrets versions access latest --secret=x",
      "gcloud config set project x",
      "gcloud compute ssh x",
      "gcloud redis instances get-auth-string x",
      "gcloud pubsub subscriptions seek x",
    ],
  }),
  defineProgram({
    names: "az",
    does: "remote",
    isOpen: true,
    optionsTakeValues: true,
    options: CLOUD_OPTIONS,
    operands: "value",
    verbEffect: azEffect,
    runs: ["az account show", "az group list -o table", "az vm show -g g -n x", "az -o delete vm list"],
    asks: [
      "az group delete -n x -y",
      "az account get-access-token",
      "az keyvault secret show --name x",
      "az vm create -n x",
      "az login",
      "az storage account keys list -n x",
      "az network vpn-connection shared-key show -n x",
      "az communication list-key -n x",
    ],
  }),
  defineProgram({
    names:
      "gsutil bq doctl linode-cli hcloud flyctl fly heroku vercel netlify firebase wrangler railway render supabase-cloud auth0 ibmcloud oci aliyun scw exo vultr-cli civo sentry-cli stripe twilio datadog-ci pscale turso neonctl planetscale upstash sst sam copilot eb ecs-cli cf dokku clever platform upsun eas expo-cli fastlane ngrok-api circleci travis buildkite-agent jira linear confluent temporal tctl nats rabbitmqctl rabbitmqadmin",
    does: "publish",
    isOpen: true,
    operands: "value",
    options:
      "-p: --project: --tenant: -t: --app: -a: --org: -o: --output: --scope: --site: --json --format: -n: --limit: --filter: --token:=change --api-url:h --server:h --outdir:w --uri=secret",
    verbEffect: platformEffect,
    // `wrangler deploy --dry-run` only bundles, and `sam build` only compiles.
    check: (use) =>
      (use.name === "wrangler" && use.operands[0]?.text === "deploy" && has(use, "--dry-run")) ||
      (use.name === "wrangler" && use.operands[0]?.text === "types") ||
      (use.name === "sam" && use.operands[0]?.text === "build")
        ? "work"
        : null,
    runs: [
      "wrangler deploy --dry-run",
      "sam build",
      "wrangler types",
      "vercel ls",
      "firebase projects:list",
      "heroku apps",
      "auth0 apps list",
      "fly status",
      "gsutil ls gs://b",
    ],
    asks: [
      "vercel --prod",
      "heroku restart",
      "firebase deploy",
      "gsutil rm -r gs://b",
      "auth0 apps delete x",
      "eas build -p ios",
      "sam deploy",
      "vercel remove x",
      "fly secrets set A=b",
      "exo config show",
      "dokku config:show app",
      "doctl databases user get x y",
      "exo dbaas show x --uri",
    ],
  }),
];

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
  if (showsEnv || isOfSecrets)
    return hasPart("list", "ls") && !hasPart("auth", "token", "tokens", "env") ? "remote" : "secret";
  if (words.some((word) => WRITES.test(word))) return "publish";
  return words.some((word) => READS.test(word)) || NOUNS.test(words.at(-1) ?? "") ? "remote" : "publish";
}

const WRITES =
  /^(create|update|add|set|deploy|open|use|restart|scale|run|start|stop|push|publish|link|unlink|login|logout|init|import|export|download|upload|cp|mv|rsync|sync|rollback|promote|build|submit|invoke|exec|ssh|console|attach|detach|customize|enable|disable|patch|put|post|edit|rename|migrate|provision|apply|up|down|alias|dev|pull|execute|query|sql|shell|connect|proxy|tunnel|trigger|retry|approve|cancel|revoke|rotate|grant|register|send|produce|call|replay|ack)$|^[\w-]+:(create|set|deploy|update|add|import|export|run|exec|restart|scale|open|promote|rollback|enable|disable|push)$/;
const READS =
  /^(ls|list|show|view|info|status|get|describe|logs|log|tail|ps|whoami|version|help|inspect|[\w-]+:(list|info|show|status|log|logs)|diff|history|stat|du|head|search|check|validate|print|synth|usage|metrics|events)$/;
/** Verbs that only list if they have no arguments. */
const NOUNS = /^(apps|releases|regions|projects|domains|addons|orgs|sites|functions|teams|me)$/;
