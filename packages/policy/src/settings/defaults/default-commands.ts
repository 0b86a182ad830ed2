import { CATALOG } from "../../programs/catalog/index.ts";

/**
 * Every program with a table in the catalog. The bare name of a program means "as far as its table says that it is
 * safe". If a team removes a name, the program asks. An entry with arguments (`docker pull`) is the team's own
 * decision.
 */
export const DEFAULT_SAFE_COMMANDS: readonly string[] = CATALOG.flatMap(({ names }) => names);

/** Programs that run a command as another user. A team that trusts one removes it from its own list. */
export const DEFAULT_BLOCKED_COMMANDS: readonly string[] = [
  ..."sudo sudoedit su doas pkexec runuser gosu su-exec sg newgrp nsenter chroot machinectl run0 setpriv capsh".split(
    " ",
  ),
  ..."visudo vipw vigr useradd usermod userdel adduser deluser addgroup groupadd groupmod gpasswd passwd chpasswd chsh".split(
    " ",
  ),
];

/** Programs that an agent may not start in the background (surface `spawn`), with any arguments. */
export const DEFAULT_SPAWN_BLOCKED_COMMANDS: readonly string[] =
  "rm sudo chmod chown mkfs dd fdisk shutdown reboot halt poweroff kill killall pkill eval".split(" ");

/** Programs that are known to be slow and silent. They get more time, and their calls do not return early. */
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

/** Programs that are so quick that running them as a background task is probably a mistake. The reply says so. */
export const DEFAULT_QUICK_COMMANDS: readonly string[] =
  "ls cd pwd cat echo head tail wc which whoami date uname env clear history ps mkdir touch rm mv cp".split(" ");
