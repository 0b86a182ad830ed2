import { defineProgram } from "../../define-program.ts";

/** Checkers and formatters for any language. */
export const LINTERS = [
  // They read manifests and run none of them, so that these may also lie in a scratch folder.
  defineProgram({
    names: "kubeconform kubeval kube-linter kube-score pluto jsonlint check-jsonschema",
    does: "read",
    isOpen: true,
    options:
      "-strict -summary -verbose -v -n: -o: --output: --output-format: -output: --config:c -c:c -schema-location:h --schema-location:h --schemafile:r --builtin-schema: -kubernetes-version: -ignore-missing-schemas -skip: -cache:w --cache-dir:w -i=edit --in-place=edit",
    operands: "read",
    verbs: { "lint score detect-files detect": { does: "read", operands: "read" } },
    runs: [
      "kubeconform -strict -summary manifests",
      "helm template chart > /tmp/o.yaml && kubeconform /tmp/o.yaml",
      "kube-linter lint k8s",
    ],
    asks: [
      "kubeconform -schema-location https://example.com/x a.yaml",
      "jsonlint -i ~/a.json",
      "kubeconform -cache ~/x a.yaml",
    ],
  }),
  defineProgram({
    names:
      "yamllint clang-format clang-tidy cppcheck cpplint include-what-you-use iwyu shellcheck shfmt hadolint actionlint yamlfmt taplo tflint checkov conftest ktlint detekt google-java-format swiftlint swiftformat scalafmt scalafix rubocop standardrb reek erb_lint brakeman haml-lint slim-lint phpcs phpcbf phpstan psalm php-cs-fixer pint rector credo dialyzer luacheck stylua selene hlint ormolu fourmolu stylish-haskell cabal-fmt nixpkgs-fmt nixfmt alejandra statix deadnix verible-verilog-lint verilator sqlfmt typos vale proselint write-good gitleaks dotenv-linter editorconfig-checker checkbashisms squawk pg_format checkstyle pmd spotbugs csharpier dotnet-format fantomas clj-kondo cljfmt dockle detect-secrets diff-cover terraform-docs gocloc sloc ec zizmor pinact ls-lint ajv v8r cue opa regal oxfmt semgrep comby codeql-lint cfn-lint mdl lychee latexindent hunspell aspell misspell swagger-cli spectral-lint openapi-spec-validator cfn-guard kubescape popeye polaris osv-scanner kics dockerfilelint licensee reuse fossology-lint gitlint dclint tombi-lint rumdl gdlint gdformat gdparse gdradon ament_flake8 ament_cpplint ament_copyright ament_uncrustify ament_lint_cmake ament_xmllint ament_pep257 ament_cppcheck ament_mypy cljstyle fprettify findent ford weeder periphery fortitude run-clang-tidy lua-language-server commitizen cz container-structure-test controller-gen",
    does: "work",
    isOpen: true,
    options:
      "-i -w -c:c --config:c -p:r -d -l -s: -f: -e: -x -a -A --style: --format: --checks: --fix --autocorrect --auto-correct --only: --except: --require:c -r:c --plugin:c --rulesdir:x --load:x -load:x --configuration:c --bootstrap:c --autoload-file:c -o:w --output:w --report-file:w --out:w --lint-only -Wall",
    verbs: {
      "check lint fmt format analyse analyze fix eval vet export detect dir git verify test process validate": {
        does: "work",
        operands: "read",
      },
      // Results go to the service of the tool.
      "ci publish login upload push": { does: "publish", operands: "value" },
    },
    operands: "read",
    runs: [
      "shellcheck scripts/*.sh",
      "yamllint -d relaxed .github/workflows",
      "hadolint Dockerfile",
      "clang-format -i src/a.c",
      "rubocop -A",
      "phpstan analyse src",
      "verilator --lint-only top.v",
    ],
    asks: [
      "phpstan analyse -a/tmp/x.php src",
      "rubocop --require /tmp/x.rb",
      "clang-tidy --load=/tmp/x.so a.c",
      "shfmt -w ~/x.sh",
      "semgrep ci",
    ],
  }),
  defineProgram({
    names: "ast-grep",
    does: "work",
    options:
      "-p: --pattern: -l: --lang: -r: --rewrite: -U --update-all -i --interactive -A: -B: -C: --after: --before: --context: -j: --threads: --json? --heading: --color: --globs: --no-ignore: --stdin --strictness: --selector: --inspect: --follow --debug-query? --rule:r --inline-rules: --format: --filter: --error? --warning? --info? --hint? --off? --report-style: --include-metadata --max-results: --config:c -c:c -t:r --test-dir:r --snapshot-dir:w --skip-snapshot-tests",
    operands: "read",
    verbs: {
      "run scan test": { does: "work", operands: "read" },
      "help completions": { does: "read", operands: "value" },
      "new lsp": { does: "change", operands: "value" },
    },
    runs: ["ast-grep run -p 'f($A)' -l ts src", "sg -p 'f($A)' --lang go", "sg scan --rule rules/a.yml src"],
    asks: ["ast-grep scan --config /tmp/x.yml", "sg users -c ls", "sg run ls", "sg run -c ls"],
  }),
];
