import type { JudgeContext } from "../context.ts";
import type { Invocation } from "../language/commands/invocation.ts";
import { HOLE } from "../language/state/values.ts";
import { isApart, type WallOpenings } from "./openings.ts";
import { hasPlainVariables } from "./variables.ts";

/** Where programs keep what a person signed in with, in the home. Those that also look into the project are not here. */
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

/** Options that give a credential, or say where one is. */
const GIVES =
  /^--?(token|with-token|password|passphrase|credentials?|key-file|kubeconfig|config|configuration|homedir|as|user|client-(key|certificate)|keyring|secret-keyring|no-default-keyring)\b|authorization|^-[pu]$/i;

/** Words that name a server, or go without a credential: a server of the team's own may take anything from anyone. */
const NAMES_SERVER =
  /^(-s|--(server|host|endpoint(-url)?|apiserver|address|no-sign-request|anonymous|insecure\S*|plain-http|registry))(=|$)|:\/\//;

/** Whether it may talk to a server that wants no credentials. */
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
