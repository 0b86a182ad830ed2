import type { ProgramUse, UsedOption } from "../define-program.ts";

const TERRAFORM = { options: ["-var-file"], file: /^[\w.-]+\.tfvars(?:\.json)?$/ };
const COMPOSE = { options: ["--env-file"], file: /^(?:[\w-]+)?\.env(?:\.[\w-]+)?$/ };

/** Programs whose options name a settings file of the project, which they use without printing it. */
const USES: Readonly<Record<string, { readonly options: readonly string[]; readonly file: RegExp }>> = {
  terraform: TERRAFORM,
  tofu: TERRAFORM,
  opentofu: TERRAFORM,
  terragrunt: TERRAFORM,
  docker: COMPOSE,
  podman: COMPOSE,
  "docker-compose": COMPOSE,
  "podman-compose": COMPOSE,
};

/** Verbs that print what they read, or pass it to a command of the agent. */
const SHOWS: ReadonlySet<string> = new Set([
  ..."run exec create config convert console output show".split(" "),
  ..."run exec create config convert".split(" ").map((verb) => `compose ${verb}`),
]);

/**
 * `terraform plan -var-file=dev.tfvars`, `docker compose --env-file .env up -d`: the file may contain secrets, but none
 * of it is shown. This applies only to files of that kind below the current folder, because parts of any other file
 * could appear in an error message.
 */
export function isUsedUnseen({ name, verb }: ProgramUse, option: UsedOption): boolean {
  const known = Object.hasOwn(USES, name) ? USES[name] : undefined;
  if (known === undefined || !known.options.includes(option.name) || SHOWS.has(verb)) return false;
  const folders = (option.value?.text ?? "").split("/");
  const file = folders.pop() ?? "";
  return known.file.test(file) && folders.every((folder) => folder !== ".." && /^[\w.-]+$/.test(folder));
}
