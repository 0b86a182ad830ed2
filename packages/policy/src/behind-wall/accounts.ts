import type { JudgeContext } from "../context.ts";
import type { Invocation } from "../language/commands/invocation.ts";
import { HOLE } from "../language/state/values.ts";
import { isApart, type WallOpenings } from "./openings.ts";
import { hasPlainVariables } from "./variables.ts";

/**
 * Where programs keep the credentials of a signed-in person, below the home. A program that also reads credentials from
 * the project must not be listed.
 */
const SIGNED_IN: Readonly<Record<string, readonly string[]>> = {
  gh: [".config/gh"],
  aws: [".aws"],
  awslocal: [".aws"],
  az: [".azure"],
  gcloud: [".config/gcloud"],
  gsutil: [".config/gcloud", ".boto"],
  bq: [".config/gcloud", ".bigqueryrc"],
  kubectl: [".kube"],
  oc: [".kube"],
  helm: [".kube", ".config/helm", ".docker"],
  eksctl: [".aws", ".kube"],
  cdk: [".aws"],
  doctl: [".config/doctl"],
  hcloud: [".config/hcloud"],
  heroku: [".netrc", ".config/heroku"],
  fly: [".fly"],
  flyctl: [".fly"],
  vault: [".vault-token", ".vault"],
  gpg: [".gnupg"],
  gpg2: [".gnupg"],
  pass: [".password-store", ".gnupg"],
};

/** Options that pass a credential, or name the file that holds one. */
const GIVES =
  /^--?(token|with-token|password|passphrase|credentials?|key-file|kubeconfig|config|configuration|homedir|as|user|client-(key|certificate)|keyring|secret-keyring|no-default-keyring)\b|authorization|^-[pu]$/i;

/**
 * Words that name a server, or say that no credential is sent. A server that the team runs itself may accept requests
 * without credentials.
 */
const NAMES_SERVER =
  /^(-s|--(server|host|endpoint(-url)?|apiserver|address|no-sign-request|anonymous|insecure\S*|plain-http|registry))(=|$)|:\/\//;

/** Whether the program may talk to a server that accepts requests without credentials. */
export function namesServer({ args }: Invocation): boolean {
  return args.some(({ text }) => NAMES_SERVER.test(text));
}

/** Whether the program has no credentials behind this wall, so that it can neither use nor print any. */
export function lacksCredentials(invocation: Invocation, openings: WallOpenings, context: JudgeContext): boolean {
  const { program, args } = invocation;
  const places = Object.hasOwn(SIGNED_IN, program) ? SIGNED_IN[program] : undefined;
  if (places === undefined || !args.every(({ text }) => !text.includes(HOLE) && !GIVES.test(text))) return false;
  const letIn = [...openings.readable, ...openings.writable];
  return (
    places.every(
      (place) => !openings.homeNames.includes(place) && isApart(`${context.home}/${place}`, letIn, context.home),
    ) && hasPlainVariables(invocation, openings, context)
  );
}
