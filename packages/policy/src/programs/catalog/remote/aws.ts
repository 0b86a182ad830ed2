import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { has } from "../use.ts";
import { CLOUD_OPTIONS } from "./cloud-options.ts";

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
  /^(?:(?:batch-)?(?:get|describe|export|generate|retrieve|download)-(?:[\w-]+-)?(?:secret-values?|passwords?|password-data|login|tokens?|credentials?|access-details|data-access|instance-access|compute-access|signing-key|private-keys?|key-pair|auth-string|stream-key|embed-url|signed-url|domain-auth|api-keys?|user-pool-client)(?:-(?:for|with)-[\w-]+)?|list-api-keys|describe-user-pool-client)$/;
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
  if (service === "glue" && verb === "get-connection") return "secret";
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

export const AWS = defineProgram({
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
});
