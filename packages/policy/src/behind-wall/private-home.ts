import type { JudgeContext } from "../context.ts";
import type { Invocation } from "../language/commands/invocation.ts";
import { isKnown } from "../language/state/values.ts";
import type { WallOpenings } from "./openings.ts";

/**
 * Programs that keep their settings in the home. Programs whose settings are files of the project, such as `yarn` and
 * `poetry`, are not listed.
 */
const IN_HOME: ReadonlySet<string> = new Set(
  "git npm pnpm pip pip3 conda mamba micromamba gem go aws gcloud az kubectl oc kubectx kubens helm gh glab minikube kind k3d doctl code code-insiders codium cursor windsurf".split(
    " ",
  ),
);

/** Options that select another settings file. */
const ELSEWHERE =
  /^(-[fLl]|--(local|worktree|file|blob|system|location|project|workspace|site|base|env|kubeconfig|config|userconfig|globalconfig|prefix|output|user-data-dir|extensions-dir|repository-config|registry-config))(=|$)/;

/** Signing in needs a person: it gives the agent more access than the wall lets in. */
const SIGNS_IN = /^(auth|login|logout|sso|import|(set|get)-credentials)$/;

/** Whether the command changes only settings in the home behind the wall, which no person uses. */
export function setsInPrivateHome(
  { program, args }: Invocation,
  { writable }: WallOpenings,
  { home }: JudgeContext,
): boolean {
  const words = args.map(({ text }) => text);
  const isHomeLetIn = writable.some((path) => path.startsWith("~/") || `${path}/`.startsWith(`${home}/`));
  if (isHomeLetIn || !IN_HOME.has(program) || !words.every(isKnown)) return false;
  if (words.some((word) => ELSEWHERE.test(word) || SIGNS_IN.test(word))) return false;
  // Without `--global`, git writes to the repository.
  return program !== "git" || words.includes("--global");
}
