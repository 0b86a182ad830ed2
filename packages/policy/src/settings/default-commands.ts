/**
 * Programs that read, or that do ordinary work inside the workspace.
 *
 * Being here means "allowed unless a rule objects": the rules know which options turn
 * each of these into a writer or a runner. An entry may name a subcommand (`docker ps`).
 */
export const DEFAULT_SAFE_COMMANDS: readonly string[] = [
  // Text and files, read
  ..."awk gawk mawk cat tac nl head tail less more wc sort uniq cut paste column join comm diff cmp colordiff".split(
    " ",
  ),
  ..."grep egrep fgrep rg ag ack fd fdfind find locate tree ls dir vdir exa eza bat batcat zcat zgrep".split(" "),
  ..."sed tr rev fold fmt expand unexpand od hexdump xxd strings jq yq base64 base32 iconv numfmt tsort".split(" "),
  ..."stat file readlink realpath basename dirname pathchk md5sum sha1sum sha224sum sha256sum sha384sum".split(" "),
  ..."sha512sum b2sum cksum sum shasum test [ [[ true false : echo printf seq yes sleep expr bc cal date factor".split(
    " ",
  ),
  ..."tput clear tty reset".split(" "),
  // The machine, read
  ..."pwd cd chdir pushd popd dirs which whereis type whatis apropos man info help tldr".split(" "),
  ..."whoami id groups users who w last hostname uname arch nproc uptime free df du lsblk lscpu lsusb lspci".split(" "),
  ..."lsof ps pgrep pstree top htop vmstat iostat netstat ss ipconfig getconf locale env printenv time jobs wait".split(
    " ",
  ),
  ..."getopts local return exit break continue shift logout times let read mapfile readarray".split(" "),
  ..."export declare typeset readonly unset".split(" "),
  // The workspace
  ..."touch mkdir tee git npm yarn pnpm bun npx bunx tsc node vitest jest eslint prettier biome".split(" "),
  // Subcommands that only look
  ..."ps images logs inspect version info top stats port diff history search"
    .split(" ")
    .map((verb) => `docker ${verb}`),
  ..."ps images logs inspect version info top stats port diff history search"
    .split(" ")
    .map((verb) => `podman ${verb}`),
  ..."get describe logs top version explain api-resources cluster-info".split(" ").map((verb) => `kubectl ${verb}`),
  ..."status show list-units list-unit-files is-active is-enabled is-failed cat"
    .split(" ")
    .map((verb) => `systemctl ${verb}`),
  ..."list show freeze check".split(" ").map((verb) => `pip ${verb}`),
  ..."list show freeze check".split(" ").map((verb) => `pip3 ${verb}`),
  ..."list show search policy".split(" ").map((verb) => `apt ${verb}`),
  ..."version env list vet".split(" ").map((verb) => `go ${verb}`),
  ..."tree metadata version".split(" ").map((verb) => `cargo ${verb}`),
  ..."version validate show output providers".split(" ").map((verb) => `terraform ${verb}`),
  ...[
    "container ls",
    "image ls",
    "network ls",
    "volume ls",
    "compose ps",
    "compose logs",
    "compose config",
    "compose version",
  ].map((words) => `docker ${words}`),
  ...["tf", "-tf", "tvf", "-tvf", "tzf", "-tzf", "--list"].map((letters) => `tar ${letters}`),
  "unzip -l",
  "zipinfo",
  "stty -a",
  "stty size",
  "journalctl",
  "kill -l",
  "command -v",
  "command -V",
  "dpkg -l",
  "dpkg -L",
  "dpkg -S",
  "dpkg --list",
  "dpkg --listfiles",
  "rpm -q",
  "rpm -qa",
  "brew list",
  "brew info",
  "gem list",
];

/** Programs that lend another identity. A team that trusts one takes it out of its own list. */
export const DEFAULT_BLOCKED_COMMANDS: readonly string[] = [
  ..."sudo sudoedit su doas pkexec runuser gosu su-exec sg newgrp nsenter chroot machinectl run0 setpriv capsh".split(
    " ",
  ),
  ..."visudo vipw vigr useradd usermod userdel adduser deluser addgroup groupadd groupmod gpasswd passwd chpasswd chsh".split(
    " ",
  ),
];

/** Over each invocation's normal form: known to destroy, so a person is asked without a deadline. */
export const DEFAULT_DANGEROUS_COMMANDS: readonly string[] = [
  "^dd\\s",
  "^rm\\s.*-.*[rR]",
  "^chmod\\s.*-.*R",
  "^chown\\s.*-.*R",
  "^rmdir\\s",
  "^find\\s.*\\s-delete\\b",
  "^del\\s",
  "^format\\s",
  "^git\\s+(-\\S+\\s+)*reset\\b",
];

/** What an agent may not start in the background (surface `spawn`), whatever its arguments are. */
export const DEFAULT_SPAWN_BLOCKED_COMMANDS: readonly string[] =
  "rm sudo chmod chown mkfs dd fdisk shutdown reboot halt poweroff kill killall pkill eval".split(" ");

/** Known to be slow and silent for long: they get more time and no early return. */
export const DEFAULT_SLOW_COMMANDS: readonly string[] = [
  ..."bundle install|bundle update|bundle exec rspec|rspec|rake test|rails test".split("|"),
  ..."npm install|npm ci|npm test|npm run build|npm run test|npm run dev".split("|"),
  ..."yarn install|yarn build|yarn test|yarn dev|pnpm install|pnpm build|pnpm test|pnpm dev".split("|"),
  ..."pytest|pip install|pip3 install|python -m pip install|python -m pytest|python setup.py".split("|"),
  ..."cargo build|cargo test|cargo install|cargo bench|go build|go test|go install|go mod tidy".split("|"),
  ..."mvn test|mvn package|mvn install|gradle build|gradle test|gradle assemble|gradle bootRun".split("|"),
  ..."dotnet build|dotnet test|dotnet restore|mix test|mix deps.get|composer install|composer update".split("|"),
  ..."xcodebuild|swift test|make|cmake --build|cmake -B|docker build|docker-compose build".split("|"),
  ..."terraform plan|terraform apply|helm install|helm upgrade|kubectl apply|ansible-playbook|vagrant up".split("|"),
];

/** So quick that running them as a background task is a mistake worth a hint. */
export const DEFAULT_QUICK_COMMANDS: readonly string[] =
  "ls cd pwd cat echo head tail wc which whoami date uname env clear history ps mkdir touch rm mv cp".split(" ");
