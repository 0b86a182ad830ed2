import { defineProgram } from "../../define-program.ts";

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
      "dump-autoload dumpautoload run run-script test": { does: "work", operands: "value" },
      exec: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      config: { does: "change", operands: "value" },
      "require remove update u upgrade create-project init global self-update selfupdate reinstall bump archive clear-cache":
        { does: "install", operands: "value" },
    },
    runs: ["composer install", "composer validate", "composer dump-autoload", "composer test", "composer phpstan"],
    asks: ["composer deploy", "composer require monolog/monolog", "composer update", "composer global require x"],
  }),
  defineProgram({
    names: "phpunit pest artisan codecept behat paratest infection phpspec drush wp symfony",
    does: "work",
    isOpen: true,
    options:
      "-c:c --configuration:c --bootstrap:c --filter: --testsuite: --coverage-html:w --coverage-clover:w --log-junit:w",
    operands: "read",
    check: ({ operands, name }) =>
      name === "wp" && /^(db:|sql|eval|plugin|core|user|search-replace)/.test(operands[0]?.text ?? "")
        ? "change"
        : null,
    runs: ["phpunit", "pest --filter x", "phpunit tests/Unit"],
    asks: ["phpunit --bootstrap /tmp/x.php", "phpunit /tmp/evil"],
  }),
];
