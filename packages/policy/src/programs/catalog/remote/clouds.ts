import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { has } from "../use.ts";

/** First words of AWS verbs that only read. `admin-get-user` returns all that is known of one person. */
const AWS_READS =
  /^(?:admin-(?=list-)|batch-)?(?:describe|list|get|head|lookup|search|scan|query|filter|tail|select|validate|estimate|preview|check|decode|detect|simulate|view|count|show|explain|ls|wait|help|is)(?:-|$)/;
/** Verbs that read although their first word does not say so. Other tests invoke what they test, or fail it over. */
const AWS_ALSO_READS =
  /^(?:test-(?:dns-answer|metric-filter|event-pattern|transformer|render-(?:email-)?template|authorization|alarm-\w+)|download-db-log-file-portion|verify|verify-mac)$/;
/** Verbs that begin like reading ones: these take or return a license. */
const AWS_CHANGES = /^check-(?:in|out)-/;
/** Verbs that return something to log in with. Listed keys and credentials come without their values, except these. */
const AWS_SECRETS =
  /^(?:(?:batch-)?(?:get|export|generate)-(?:[\w-]+-)?(?:secret-value|password|password-data|login|tokens?|credentials?|access-details|data-access|instance-access|compute-access|signing-key|private-key|stream-key|embed-url|signed-url|domain-auth|api-keys?|user-pool-client)(?:-(?:for|with)-[\w-]+)?|list-api-keys|describe-user-pool-client)$/;
/** Verbs that write what they get to a file, which is their last word. */
const AWS_FILES =
  /^(?:get-(?:object|object-torrent|job-output|export|sdk|package-version-asset|snapshot-block|latest-configuration|configuration|raw-message-content|media|media-for-[\w-]+|clip|thing-shadow)|select-object-content)$/;
const AWS_PARAMETERS: ReadonlySet<string> = new Set(
  "get-parameter get-parameters get-parameters-by-path get-parameter-history".split(" "),
);

function awsCheck(use: ProgramUse): Effect | null {
  const words = use.operands.map(({ text }) => text);
  // `delete-alarms --alarm-names a help`: after an option of the verb, it is one more of its values.
  if (words[2] === "help" && use.options.some(({ isGuessed }) => isGuessed)) return awsEffect(words.slice(0, 2));
  // Parameters are encrypted unless the command, or a text with all its options, says otherwise.
  const isHidden = AWS_PARAMETERS.has(words[1] ?? "") && has(use, "--cli-input-json", "--cli-input-yaml");
  return isHidden ? "secret" : null;
}

const AWS_DESTROYS =
  /^(?:admin-|batch-)?(?:delete|terminate|remove|purge|deregister|destroy|drop|empty|revoke|detach|disable|stop|cancel|release|schedule-key-deletion)(?:-|$)/;
/** `get-role-credentials`, `get-relational-database-master-user-password`: what such a verb returns. */
const AWS_TELLS =
  /^(?:batch-)?(?:get|describe|retrieve|download)-(?:.+-)?(?:credentials|passwords?|secret-values?|tokens?|private-keys?|key-pair|auth-string)$/;

function awsEffect(words: readonly string[]): Effect | null {
  const [service = "", verb = "", ...rest] = words;
  if (service === "" || service === "help") return "read";
  if (verb === "help" || rest.includes("help")) return "read";
  if (service === "configure") {
    if (verb === "get" || verb === "export-credentials") return "secret";
    return verb === "list" || verb === "list-profiles" ? "read" : "change";
  }
  if (service === "login" || service === "logout") return "change";
  if (service === "sso" && (verb === "" || verb === "login" || verb === "logout")) return "change";
  if (AWS_TELLS.test(verb) || (service === "glue" && verb === "get-connection")) return "secret";
  if (service === "s3") {
    if (verb === "ls") return "remote";
    return verb === "presign" ? "secret" : /^(rm|rb)$/.test(verb) ? "destroy" : "publish";
  }
  if (service === "sts")
    return /^(get-caller-identity|get-access-key-info|decode-authorization-message)$/.test(verb) ? "remote" : "secret";
  // It only starts a search in logs.
  if (service === "logs" && verb === "start-query") return "remote";
  if (verb === "") return null;
  if (AWS_DESTROYS.test(verb)) return "destroy";
  // These list keys without their values; an option adds them.
  if (service === "apigateway" && /^get-api-keys?$/.test(verb)) return "remote";
  if (AWS_SECRETS.test(verb)) return "secret";
  if (AWS_FILES.test(verb)) return "change";
  if (AWS_CHANGES.test(verb)) return "publish";
  return AWS_READS.test(verb) || AWS_ALSO_READS.test(verb) ? "remote" : "publish";
}

/** Verbs of gcloud that only read, and first words of more of them. */
const GCLOUD_READS =
  /^(?:(?:list|describe|get|search|analyze|check|wait|query|lint|troubleshoot)(?:-[\w-]+)?|read|tail|info|version|help|topic|diff|validate|test-iam-permissions|ls|du|hash|stat|stream-logs|monitor|show|cheat-sheet|operations-list|status|simulate|explain)$/;
/** Verbs of gcloud that begin with `get` and return something to log in with. */
const GCLOUD_SECRETS =
  /^(?:get|generate|reset)-(?:[\w-]+-)?(?:key-string|auth-string|password|token|tokens|access-token)$/;
const GCLOUD_WRITES =
  /^(?:create|update|set|add|deploy|start|stop|enable|disable|patch|export|import|clone|restore|promote|resize|move|execute|run|call|submit|undelete|publish|pull|ack|write|sign|attach|detach|activate|rollback|cancel|suspend|resume|restart|failover|abandon|rolling-action|ssh|scp|browse|replace|migrate|install|upgrade|login|revoke|register|unregister|bind|grant|connect|link|unlink|seek|predict|snapshot|diagnose|(?:set|add|remove|update|create|delete|attach|detach|recreate|reset|move|mark|bulk|rolling|start|stop|enable|disable)-[\w-]+)$/;
const GCLOUD_DESTROYS = /^(?:delete|rm|remove|reset|kill|destroy)(?:-[\w-]+)?$/;

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
  if (all.some((word) => GCLOUD_SECRETS.test(word))) return "secret";
  if (first === "builds" && second === "log") return "remote";
  if (first === "storage" && (second === "cat" || second === "cp" || second === "mv" || second === "rsync"))
    return "publish";
  if (first === "policy-troubleshoot") return "remote";
  const verb = all
    .slice(1)
    .find((word) => GCLOUD_READS.test(word) || GCLOUD_DESTROYS.test(word) || GCLOUD_WRITES.test(word));
  // A group alone prints its help. Otherwise one of the words is a verb.
  if (verb === undefined) return second === "" ? null : "publish";
  if (GCLOUD_DESTROYS.test(verb)) return "destroy";
  return GCLOUD_READS.test(verb) ? "remote" : "publish";
}

const AZ_READS =
  /^(?:list|show|get|exists|query|version|find|(?:list|show|get|check)-.+|check|peek|tail|query-by-.+|what-if|validate|history|summarize|export-template)$/;
/** Verbs that print a value to log in with. */
const AZ_SECRETS =
  /^(?:(?:list|show|get|generate)-(?:[\w-]+-)?(?:keys?|secrets?|tokens?|credentials?|connection-strings?|passwords?|sas|kubeconfig|cd-url|publishing-profiles)|connection-string)$/;
/** Things that are listed with their values. A key vault lists only names. */
const AZ_KEYS =
  /^(?:keys?|admin-key|query-key|shared-keys?|api-?keys?|secrets?|auth-?keys?|test-endpoint|storage-account)$/;
/** Identities of devices and policies of hubs, which are shown with their keys. */
const AZ_DEVICES = /^(?:device-identity|module-identity|policy|hub-authorization-rule)$/;

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
  if (first === "iot" && verb === "show" && words.some((word) => AZ_DEVICES.test(word))) return "secret";
  if (first === "group" && verb === "export") return "remote";
  if (words.includes("appsettings") && verb === "list") return "secret";
  if (words.includes("connection-string") && /^(list|show)$/.test(verb)) return "secret";
  if (words.includes("credential") && /^(show|list)$/.test(verb)) return "secret";
  if (AZ_SECRETS.test(verb)) return "secret";
  if (first === "devops" && second === "configure") return "change";
  // No group has such a name, so a word after it is one more value of an option: `--ids a list`.
  if (words.some((word) => AZ_DESTROYS.test(word))) return "destroy";
  if (words.some((word) => AZ_ACTS.test(word))) return "publish";
  if (
    AZ_READS.test(verb) ||
    ((words.includes("logs") || words.includes("log")) && /^(show|tail|logs)$/.test(words.at(-1) ?? "")) ||
    words.at(-1) === "logs"
  )
    return "remote";
  // A group alone prints its help. Otherwise one of the words is a verb.
  return second === "" ? null : "publish";
}

const AZ_DESTROYS = /^(?:delete|purge|stop|deallocate|remove|clear|reset|cancel|regenerate|.+-delete|delete-.+)$/;
const AZ_ACTS = /^(?:create|update|set|add|start|restart|upload|invoke|exec|assign|move|renew|rotate|restore)$/;
const AZ_WRITES =
  /^(create|delete|update|set|add|remove|start|stop|restart|deallocate|purge|recover|restore|upload|upload-batch|download|download-batch|copy|move|import|export|invoke|run|run-command|exec|attach|detach|enable|disable|assign|reset|regenerate|regenerate-keys|generalize|redeploy|resize|open-port|grant|revoke|approve|reject|queue|publish|deploy|up|browse|swap|sync|scale|upgrade|rotate|renew|cancel|clear|wait|login|logout|register|unregister|install|uninstall|build|apply|lock|unlock|failover|add-record|remove-record|deployment|config-zip|cordon|sas|snapshot|invite|tag|untag|move-to|link|unlink|bind|unbind|allow|deny|mount|start-.+|stop-.+|set-.+|update-.+|create-.+|delete-.+|add-.+|remove-.+|reset-.+|regenerate-.+|enable-.+|disable-.+)$/;

const onlyLists = ({ options }: ProgramUse): Effect | null =>
  options.every(({ name }) => /^(?:--list|--list-defaults|-l|--output|-o|--query|--scope)$/.test(name)) ? "read" : null;

const CLOUD_OPTIONS =
  "--command: --output: -o: --query: --profile: --region: --project: --format: --filter: --limit: --zone: --location: -l: -n: -g: --name: --resource-group: --subscription: --account: --configuration: --page-size: --max-items: --no-cli-pager --no-paginate --color: --debug --verbosity: --quiet -q --sort-by: --global --regional --uri --flatten: --cli-read-timeout: --cli-connect-timeout: --no-cli-auto-prompt --include-value=secret --include-values=secret --starting-token: --page-token: --start-time: --end-time: --billing-project: --impersonate-service-account:=change --access-token-file:r=change --flags-file:c --endpoint-url:h --ca-bundle:h --no-verify-ssl?h --no-sign-request --only-show-errors --verbose --debug --ids: -c: --with-decryption=secret --decrypt=secret --show-secrets=secret --outfile:w --log-http";

export const CLOUDS = [
  defineProgram({
    names: "aws awslocal",
    does: "remote",
    isOpen: true,
    optionsTakeValues: true,
    options: CLOUD_OPTIONS,
    operands: "value",
    verbEffect: awsEffect,
    check: awsCheck,
    runs: [
      "aws s3 ls",
      "aws ec2 describe-instances --query 'R[].I'",
      "aws ec2 describe-instances --query \"R[].Tags[?Key=='Environment']\"",
      "aws --region us-east-1 sts get-caller-identity",
      "aws logs tail /x --follow",
      "aws iam list-users help",
      "aws cognito-idp admin-list-devices --user-pool-id p --username u",
      "aws events test-event-pattern --event-pattern '{}' --event '{}'",
      "aws apigateway get-api-keys --limit 5",
      "aws ssm get-parameter --name /app/region",
      "aws iam list-service-specific-credentials",
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
      "aws lambda get-function --function-name f --query Configuration.Environment",
      "aws ec2 describe-instance-attribute --instance-id i --attribute userData",
      "aws glue get-connection --name x",
      "aws ses verify-email-identity --email-address a@example.com",
      "aws elasticache test-failover --replication-group-id r --node-group-id 1",
      "aws license-manager check-in-license --license-consumption-token t",
      "aws lakeformation get-temporary-glue-table-credentials --table-arn x",
      "aws apigateway get-api-keys --include-values",
      "aws ivs get-stream-key --arn x",
      "aws cloudwatch delete-alarms --alarm-names a help",
      "aws ssm get-parameters --cli-input-json file://p.json",
      "aws apigateway get-export --rest-api-id r --stage-name s --export-type oas30 out.json",
    ],
  }),
  defineProgram({
    names: "gcloud",
    does: "remote",
    isOpen: true,
    optionsTakeValues: true,
    options: `${CLOUD_OPTIONS} --secret:`,
    operands: "value",
    wraps: { skip: 99, code: ["--command"], effect: "remote", isOpaque: true },
    hasShortHelp: true,
    verbEffect: gcloudEffect,
    runs: [
      "gcloud config list",
      "gcloud compute instances list",
      "gcloud --project=p run services describe s",
      "gcloud projects get-iam-policy p",
      "gcloud compute os-login describe-profile",
      "gcloud pubsub topics list-snapshots t",
      "gcloud app instances list --version v3",
      "gcloud secrets versions describe 3 --secret api",
      "gcloud sql instances create -h",
    ],
    asks: [
      "gcloud auth print-access-token",
      "gcloud compute instances delete x",
      "gcloud secrets versions access latest --secret=x",
      "gcloud config set project x",
      "gcloud compute ssh x",
      "gcloud pubsub subscriptions seek x",
      "gcloud redis instances get-auth-string i",
      "gcloud compute disks snapshot d",
      "gcloud app deploy app.yaml --version v3",
      "gcloud kms asymmetric-decrypt --key k --version 1 --ciphertext-file c --plaintext-file p",
      "gcloud dataproc clusters diagnose c",
      "gcloud compute instances simulate-maintenance-event x",
    ],
  }),
  defineProgram({
    names: "az",
    does: "remote",
    isOpen: true,
    optionsTakeValues: true,
    options: CLOUD_OPTIONS,
    operands: "value",
    hasShortHelp: true,
    verbEffect: azEffect,
    // Without these options it asks for the settings, or sets them.
    check: (use) =>
      use.operands.at(-1)?.text === "configure" && has(use, "--list", "--list-defaults", "-l") ? onlyLists(use) : null,
    runs: [
      "az account show",
      "az group list -o table",
      "az vm show -g g -n x",
      "az -o delete vm list",
      "az devops configure --list",
      "az ad group member check --group g --member-id m",
      "az disk create -h",
      "az consumption usage list",
    ],
    asks: [
      "az group delete -n x -y",
      "az account get-access-token",
      "az keyvault secret show --name x",
      "az vm create -n x",
      "az login",
      "az storage account keys list -n x",
      "az communication list-key -n x",
      "az devops configure --defaults project=p",
      "az apim nv show-secret --named-value-id x",
      "az network vpn-connection shared-key show -g g --connection-name c",
      "az iot hub device-identity show -n h -d d",
      "az webapp config storage-account list -g g -n a",
      "az monitor metrics alert rewrite -n a",
      "az vm delete --ids a list",
      "az disk update --ids a show",
    ],
  }),
  defineProgram({
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
  }),
  defineProgram({
    names:
      "gsutil bq doctl linode-cli hcloud flyctl fly heroku vercel netlify firebase wrangler railway render supabase-cloud ibmcloud oci aliyun scw exo vultr-cli civo sentry-cli stripe twilio datadog-ci pscale turso neonctl planetscale upstash sst sam copilot eb ecs-cli cf dokku clever platform upsun eas expo-cli fastlane ngrok-api circleci travis buildkite-agent jira linear confluent temporal tctl nats rabbitmqctl rabbitmqadmin",
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
      "fly status",
      "gsutil ls gs://b",
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
      "dokku config:show app",
      "doctl databases user get x y",
      "exo dbaas show x --uri",
    ],
  }),
];

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
