import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { namesSecretField, taskPrintsSecrets } from "../../names/secret-words.ts";

/** The verbs with which WP-CLI reads, such as `wp post list`. All others change a site. */
const WP_READS: ReadonlySet<string> = new Set(
  "list get status info version exists is-installed is-active path size tables columns check verify-checksums describe".split(
    " ",
  ),
);

const DRUSH_CHANGES =
  /^(?:config[:-](?:import|set|delete|edit)|cim|cset|updatedb|updb|pm[:-](?:enable|install|uninstall)|en|pmu|php[:-](?:eval|script|cli)|ev|eval|scr|state[:-](?:set|delete)|user[:-](?:create|block|role:add))$/;

/** What WP-CLI and Drush do to a site. Their own words for it are few. */
function siteEffect({ name, operands, options }: ProgramUse): Effect | null {
  const [object = "", verb = "", ...rest] = operands.map(({ text }) => text);
  if (name === "drush") {
    if (taskPrintsSecrets(name, operands)) return "secret";
    if (/^(?:site[:-]install|si|sql[:-]sync|entity[:-]delete|user[:-](?:cancel|password)|upwd)$/.test(object))
      return "destroy";
    return DRUSH_CHANGES.test(object) ? "change" : null;
  }
  if (name !== "wp") return null;
  if (object === "config" && /^(?:get|list)$/.test(verb)) return "secret";
  // The rows of a database, with accounts and sessions.
  if (object === "db" && /^(?:export|dump|query|cli|search)$/.test(verb)) return "secret";
  if (
    /^(?:option|transient|site-option|network-meta|user)$/.test(object) &&
    [...rest, ...options.flatMap(({ name: option, value }) => [option, value?.text ?? ""])].some(namesSecretField)
  )
    return "secret";
  if (object === "search-replace" && ![verb, ...rest].includes("--dry-run")) return "destroy";
  if (WP_READS.has(object) || WP_READS.has(verb)) return null;
  return object === "user" ? "publish" : "change";
}

export const PHP = [
  // Laravel's containers: `sail artisan …`, `sail npm …`.
  defineProgram({
    names: "sail",
    does: "work",
    operands: "value",
    stopsAtOperand: true,
    wraps: {},
    verbs: {
      "up ps logs build": { does: "work", operands: "value", options: "-d -f --tail:" },
      "stop restart": { does: "change", operands: "value", isOpen: true },
      down: { does: "destroy", operands: "value", isOpen: true },
      "tinker shell root-shell share": { does: "code", operands: "value", isOpen: true },
    },
    runs: ["sail up -d", "sail artisan test"],
    asks: [
      "sail artisan db:wipe",
      "sail npm publish",
      "sail down -v",
      "sail tinker",
      "sail bash",
      "sail bash -c 'rm x'",
    ],
  }),
  // Development environments in containers, whose commands work on the project's own folder.
  defineProgram({
    names: "ddev lando",
    does: "change",
    isOpen: true,
    options: "-s: --service: -d: --dir: -t: --tail: -f --follow",
    operands: "value",
    verbs: {
      "describe list logs status version info config-show": { does: "read", operands: "value" },
      "start restart": { does: "work", operands: "value" },
      exec: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      composer: {
        does: "work",
        operands: "value",
        stopsAtOperand: true,
        wraps: { before: "composer", isOpaque: true },
      },
      drush: { does: "work", operands: "value", stopsAtOperand: true, wraps: { before: "drush", isOpaque: true } },
      wp: { does: "work", operands: "value", stopsAtOperand: true, wraps: { before: "wp", isOpaque: true } },
      artisan: { does: "work", operands: "value", stopsAtOperand: true, wraps: { before: "artisan", isOpaque: true } },
      npm: { does: "work", operands: "value", stopsAtOperand: true, wraps: { before: "npm", isOpaque: true } },
      php: { does: "work", operands: "value", stopsAtOperand: true, wraps: { before: "php", isOpaque: true } },
      "delete destroy remove clean poweroff stop import-db db-import pull restore": {
        does: "destroy",
        operands: "value",
      },
      "push share": { does: "publish", operands: "value" },
    },
    runs: [
      "ddev describe",
      "ddev exec phpunit",
      "ddev composer install",
      "ddev drush status",
      "lando logs -s appserver",
    ],
    asks: [
      "ddev exec rm x",
      "ddev drush sql-drop",
      "ddev import-db",
      "ddev ssh",
      "ddev delete",
      "ddev composer require x",
    ],
  }),
  defineProgram({
    names: "composer",
    // A word that is not a verb of Composer is a script of the project.
    does: "work",
    namesScript: true,
    isOpen: true,
    options: "-d:d --working-dir:d --no-interaction -n --no-dev --quiet -q --prefer-dist --optimize-autoloader -o",
    operands: "value",
    verbs: {
      "install i": { does: "restore", operands: "value" },
      "show info outdated validate diagnose check-platform-reqs depends why prohibits why-not licenses audit status suggests fund search about list help":
        { does: "read", operands: "value" },
      "dump-autoload dumpautoload test": { does: "work", operands: "value" },
      "run run-script": { does: "work", operands: "value", namesScript: true },
      exec: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      // The file with the credentials.
      config: { does: "change", operands: "value", options: "--auth=secret -a=secret" },
      "require remove update u upgrade create-project init global self-update selfupdate reinstall bump archive clear-cache":
        { does: "install", operands: "value" },
    },
    runs: ["composer install", "composer validate", "composer dump-autoload", "composer test", "composer phpstan"],
    asks: [
      "composer run deploy",
      "composer deploy",
      "composer require monolog/monolog",
      "composer update",
      "composer global require x",
    ],
  }),
  defineProgram({
    names: "phpunit pest artisan codecept behat paratest infection phpspec drush wp symfony",
    does: "work",
    isOpen: true,
    options:
      "-c:c --configuration:c --bootstrap:c --filter: --testsuite: --coverage-html:w --coverage-clover:w --log-junit:w",
    operands: "read",
    check: siteEffect,
    runs: ["wp post list", "drush status", "phpunit", "pest --filter x", "phpunit tests/Unit"],
    asks: [
      "wp db drop",
      "wp user create bob bob@example.com",
      "wp post delete 1",
      "wp config get DB_PASSWORD",
      "wp user list --fields=user_login,user_pass",
      "wp option get stripe_api_key",
      "wp db export -",
      "drush sql:dump",
      "drush uli",
      "drush sql-drop",
      "drush site:install -y",
      "drush config:import -y",
      "symfony deploy",
      "phpunit --bootstrap /tmp/x.php",
      "phpunit /tmp/evil",
    ],
  }),
];
