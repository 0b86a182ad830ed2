import { defineProgram } from "../../define-program.ts";

/** The verbs of WordPress' tool that read: `wp post list`. All others change a site. */
const WP_READS: ReadonlySet<string> = new Set(
  "list get status info version exists is-installed is-active path size tables columns check verify-checksums describe".split(
    " ",
  ),
);

export const PHP = [
  defineProgram({
    names: "composer",
    // A word that is none of its own verbs is a script of the project.
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
      config: { does: "change", operands: "value" },
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
    check: ({ operands, name }) =>
      name === "wp" && !operands.slice(0, 2).some(({ text }) => WP_READS.has(text)) ? "change" : null,
    runs: ["wp post list", "drush status", "phpunit", "pest --filter x", "phpunit tests/Unit"],
    asks: [
      "wp db drop",
      "wp post delete 1",
      "drush sql-drop",
      "symfony deploy",
      "phpunit --bootstrap /tmp/x.php",
      "phpunit /tmp/evil",
    ],
  }),
];
