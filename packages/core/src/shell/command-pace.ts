/**
 * How fast a command is known to be, by its first words. It only chooses how long to
 * wait; nothing about safety is decided here.
 *
 * Each entry is the beginning of a command, word by word.
 */
export const SLOW_COMMANDS: readonly string[] = [
  "npm install",
  "npm i",
  "npm ci",
  "npm test",
  "npm run",
  "npm update",
  "npm audit",
  "npm publish",
  "npx",
  "pnpm install",
  "pnpm i",
  "pnpm add",
  "pnpm test",
  "pnpm run",
  "pnpm build",
  "pnpm dlx",
  "yarn",
  "bun install",
  "bun test",
  "bun run",
  "deno test",
  "turbo",
  "pip install",
  "pip3 install",
  "pipx install",
  "poetry install",
  "poetry update",
  "uv sync",
  "uv pip",
  "conda install",
  "conda create",
  "pytest",
  "tox",
  "nox",
  "python -m pytest",
  "python3 -m pytest",
  "python -m pip",
  "python3 -m pip",
  "bundle install",
  "bundle update",
  "gem install",
  "rake",
  "rspec",
  "rails",
  "cargo build",
  "cargo test",
  "cargo run",
  "cargo check",
  "cargo install",
  "cargo clippy",
  "cargo bench",
  "go build",
  "go test",
  "go get",
  "go install",
  "go mod",
  "make",
  "cmake",
  "ninja",
  "meson",
  "bazel",
  "gcc",
  "g++",
  "clang",
  "mvn",
  "gradle",
  "./gradlew",
  "./mvnw",
  "sbt",
  "ant",
  "dotnet build",
  "dotnet test",
  "dotnet restore",
  "dotnet run",
  "swift build",
  "xcodebuild",
  "composer install",
  "composer update",
  "mix deps.get",
  "mix test",
  "stack build",
  "cabal build",
  "docker build",
  "docker pull",
  "docker push",
  "docker run",
  "docker compose",
  "docker-compose",
  "podman build",
  "podman pull",
  "podman run",
  "kubectl apply",
  "kubectl rollout",
  "kubectl wait",
  "helm install",
  "helm upgrade",
  "terraform",
  "ansible-playbook",
  "vagrant up",
  "packer",
  "apt install",
  "apt update",
  "apt upgrade",
  "apt-get",
  "dnf install",
  "dnf update",
  "yum install",
  "yum update",
  "apk add",
  "pacman -S",
  "brew install",
  "brew update",
  "brew upgrade",
  "snap install",
  "git clone",
  "git fetch",
  "git pull",
  "git push",
  "git submodule",
  "git gc",
  "git bisect",
  "wget",
  "curl -O",
  "curl -o",
  "curl -L",
  "rsync",
  "scp",
  "tar",
  "zip",
  "unzip",
  "gzip",
  "xz",
  "zstd",
  "dd",
  "ffmpeg",
  "find /",
  "du",
  "tsc",
  "webpack",
  "vite build",
  "next build",
  "jest",
  "vitest",
  "playwright",
  "cypress",
  "eslint",
  "pg_dump",
  "pg_restore",
  "mysqldump",
];

export const QUICK_COMMANDS: readonly string[] = [
  "ls",
  "ll",
  "pwd",
  "cd",
  "echo",
  "printf",
  "true",
  "false",
  ":",
  "cat",
  "head",
  "wc",
  "date",
  "whoami",
  "id",
  "hostname",
  "uname",
  "uptime",
  "which",
  "type",
  "whereis",
  "env",
  "printenv",
  "export",
  "alias",
  "history",
  "basename",
  "dirname",
  "realpath",
  "readlink",
  "stat",
  "file",
  "mkdir",
  "rmdir",
  "touch",
  "cp",
  "mv",
  "ln",
  "chmod",
  "test",
  "[",
  "expr",
  "seq",
  "cut",
  "tr",
  "df",
  "free",
  "ps",
  "jobs",
  "kill",
  "git status",
  "git log",
  "git diff",
  "git branch",
  "git show",
  "git rev-parse",
  "git remote",
  "git stash list",
  "git config",
  "git add",
  "git commit",
  "node --version",
  "node -v",
  "npm --version",
  "npm -v",
  "python --version",
  "python3 --version",
  "git --version",
];

/** Known to be slow: wait longer, and do not treat silence as the end. */
export function isSlowCommand(line: string, slow: readonly string[] = SLOW_COMMANDS): boolean {
  return splitCommands(line).some((text) => slow.some((known) => beginsWith(text, known)));
}

/** Known to be quick: not worth a background task. */
export function isQuickCommand(line: string, quick: readonly string[] = QUICK_COMMANDS): boolean {
  const commands = splitCommands(line);
  return commands.length > 0 && commands.every((text) => quick.some((known) => beginsWith(text, known)));
}

const WRAPPERS = new Set(["sudo", "time", "nice", "nohup", "env", "command", "exec", "stdbuf", "ionice"]);

/** The script that a shell is given to run. */
const SHELL_TEXT = /\b(?:ba|da|z)?sh\s+-\w*c\s+(?:'([^']*)'|"([^"]*)")/g;

/** How much of a command is examined: longer ones are generated, and this is only a guess. */
const MAX_LOOKED_AT = 4_096;

/** The words of each simple command, one space apart, without leading assignments and wrappers. Only for a guess. */
function splitCommands(line: string): string[] {
  const begun = line.slice(0, MAX_LOOKED_AT);
  const texts = [...begun.matchAll(SHELL_TEXT)].map(([, single, double]) => single ?? double ?? "");
  return [begun, ...texts]
    .flatMap((text) => text.split(/&&|\|\|?|[;\n&(){}]/))
    .map((part) => withoutWrappers(part.trim().split(/\s+/).filter(Boolean)).join(" "))
    .filter((text) => text !== "");
}

const BELONGS_TO_TIMEOUT = /^(-.*|[\d.]+[smhd]?|SIG[A-Z]+|KILL|TERM|INT)$/;

function withoutWrappers(words: readonly string[]): string[] {
  let isTimeout = false;
  const first = words.findIndex((word) => {
    if (isTimeout && BELONGS_TO_TIMEOUT.test(word)) return false;
    isTimeout = word === "timeout";
    return !isTimeout && !WRAPPERS.has(word) && !/^\w+=/.test(word);
  });
  return first < 0 ? [] : words.slice(first);
}

/** Whole words only. Both lists are long, and this runs for every command. */
function beginsWith(text: string, known: string): boolean {
  return text.startsWith(known) && (text.length === known.length || text[known.length] === " ");
}
