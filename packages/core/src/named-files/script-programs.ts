import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

const INTERPRETER =
  /^(ba|da|z|k|fi|a)?sh$|^(python|pypy|perl|ruby|lua|php|node|nodejs)[\d.]*$|^(deno|bun|tsx|ts-node|Rscript|julia|pwsh|osascript|awk|gawk|mawk|sed|tclsh|expect|groovy|java|dotnet|go|cargo|source|\.|psql|mysql|sqlite3|kubectl|terraform|tofu|ansible-playbook|xargs|env|sudo|nohup|timeout|time)$/;
const SCRIPT_NAME =
  /\.(sh|bash|zsh|fish|ksh|py|pyw|js|mjs|cjs|ts|mts|cts|jsx|tsx|rb|pl|pm|php|lua|r|jl|ps1|sql|awk|sed|mk|gradle|kts|groovy|tcl|exp|tf|jar|rs|go)$|(^|\/)(GNU)?[Mm]akefile$|(^|\/)(package\.json|Dockerfile|Containerfile|[Jj]ustfile|Rakefile|Gemfile|Vagrantfile|(docker-)?compose\.ya?ml|Taskfile\.ya?ml)$/;

const COMPOSE = [
  "compose.yaml",
  "compose.yml",
  "docker-compose.yaml",
  "docker-compose.yml",
  "docker-compose.override.yml",
];
const NODE = ["package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs"];

/** Files in the working folder that these programs read without being told to. */
const READS_BY_ITSELF: Record<string, string[]> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile"],
  bundle: ["Gemfile"],
  npm: NODE,
  npx: NODE,
  pnpm: NODE,
  yarn: NODE,
  bun: NODE,
  gulp: ["gulpfile.js"],
  grunt: ["Gruntfile.js"],
  docker: [...COMPOSE, "Dockerfile"],
  podman: [...COMPOSE, "Containerfile", "Dockerfile"],
  "docker-compose": COMPOSE,
  "podman-compose": COMPOSE,
  tox: ["tox.ini", "pyproject.toml", "setup.py"],
  nox: ["noxfile.py"],
  invoke: ["tasks.py"],
  fab: ["fabfile.py"],
  pytest: ["conftest.py", "pytest.ini", "pyproject.toml"],
  pip: ["setup.py", "pyproject.toml"],
  pip3: ["setup.py", "pyproject.toml"],
  gradle: ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"],
  gradlew: ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"],
  mvn: ["pom.xml"],
  cargo: ["Cargo.toml", "build.rs"],
  composer: ["composer.json"],
  vagrant: ["Vagrantfile"],
  kubectl: ["kustomization.yaml"],
  serverless: ["serverless.yml"],
  direnv: [".envrc"],
  "pre-commit": [".pre-commit-config.yaml"],
};

/** Whether a word names a program that runs, or acts on, its arguments. */
export function isInterpreter(word: string): boolean {
  return INTERPRETER.test(basename(word));
}

export function isScriptName(path: string): boolean {
  return SCRIPT_NAME.test(path);
}

/** Files in a folder that a command reads without naming them. `isNamed`: the command names the folder. */
export async function impliedFiles(
  words: readonly string[],
  { folder, isNamed }: { folder: string; isNamed: boolean },
): Promise<string[]> {
  const names = words.map((word) => basename(word));
  const read = names.flatMap((name) => READS_BY_ITSELF[name] ?? []);
  const modules = words.flatMap((word, at) => (word === "-m" ? moduleFiles(words[at + 1] ?? "") : []));
  const infrastructure = names.some((name) => name === "terraform" || name === "tofu")
    ? await endingWith(folder, ".tf")
    : [];
  const hooks = names.includes("git") ? await gitHooks(folder) : [];
  // An interpreter that gets a folder looks for these.
  const inside = isNamed && words.some(isInterpreter) ? ["__main__.py", "index.js", "package.json"] : [];
  return [...read, ...modules, ...infrastructure, ...hooks, ...inside];
}

/** `python -m a.b`. */
function moduleFiles(module: string): string[] {
  const path = module.replaceAll(".", "/");
  return path === "" ? [] : [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`];
}

/** git runs these by itself. */
async function gitHooks(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, ".git/hooks")).catch(() => []);
  return names.filter((name) => !name.endsWith(".sample")).map((name) => join(".git/hooks", name));
}

async function endingWith(folder: string, ending: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending));
}
