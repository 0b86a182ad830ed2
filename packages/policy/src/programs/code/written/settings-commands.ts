import { quoteWord } from "@belay/protocol";
import { stringLiterals } from "../inline-code.ts";
import { isProgram } from "./file-commands.ts";

interface Runner {
  readonly programs: RegExp;
  readonly files: RegExp;
  /** Every text of the file that it may run. */
  readonly commands: (text: string) => string[];
}

const matchesOf = (pattern: RegExp) => (text: string) => [...text.matchAll(pattern)].map(([, found = ""]) => found);

/** Keys whose value is a command line. */
const COMMAND_KEY =
  /^(?:run|cmds?|commands?|entry|scripts?|sh|shell|exec|raw|before_script|after_script|ansible\.builtin\.(?:shell|command))$/;

/** `run: git push`, `- git push`, `cmds: ["git push"]`, and the lines of a block. */
const inYaml = (text: string): string[] => [
  ...text.split("\n").flatMap((line) => {
    const [, key, value = ""] = /^[ \t]*(?:-[ \t]+)?(?:([\w.-]+)[ \t]*:(?:[ \t]+|$))?(.*)$/.exec(line) ?? [];
    return key === undefined || COMMAND_KEY.test(key) ? [unquoted(value.trim())] : [];
  }),
  ...inLists(text, /\[([^\]\n]{1,400})\]/g),
];

/** `web: git push`. */
const inProcfile = matchesOf(/^[\w-]+:[ \t]*(.+)$/gm);

/** `commands = git push`, and its further lines. */
const inIni = matchesOf(/^[ \t]*(?:commands\w*[ \t]*=)?[ \t]*([^\s#=[][^\n]*)$/gm);

/** `x = "git push"`, `cmd = ["git", "push"]`. */
const inToml = (text: string): string[] =>
  inLists(text, /=[ \t]*(?:\{[^}\n]{0,300}?=[ \t]*)?("""[\s\S]{0,2000}?"""|"[^"\n]*"|'[^'\n]*'|\[[^\]]{0,500}\])/g);

/** Lists of words, or one text, after a keyword. */
function inLists(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, given = ""]) => {
    const words = stringLiterals(given.replace(/^"""|"""$/g, '"').replaceAll("\n", " "));
    return words.length === 0 ? [] : [words.map(inShell).join(" "), ...words];
  });
}

const inShell = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteWord(word));

/** `<executable>git</executable> … <argument>push</argument>`, `<exec executable="git"><arg value="push"/></exec>`. */
function inXml(text: string): string[] {
  return [...text.matchAll(/<(?:executable>|exec\b[^<>]{0,300}?executable=")([^<"]{1,300})["<]([\s\S]{0,2000})/g)].map(
    ([, program = "", rest = ""]) =>
      [
        program,
        ...[...rest.matchAll(/<argument>([^<]*)<|<arg[^>]*(?:value|line)="([^"]*)"/g)].map(
          ([, one, two]) => one ?? two ?? "",
        ),
      ].join(" "),
  );
}

/** `execute_process(COMMAND git push …)`. */
const inCmake = matchesOf(
  /\bCOMMAND[ \t\n]+([^()]*?)(?=[ \t\n]+(?:COMMAND|WORKING_DIRECTORY|OUTPUT_\w+|RESULT_\w+|ERROR_\w+|TIMEOUT|DEPENDS|COMMENT|VERBATIM|BYPRODUCTS)\b|\))/g,
);

const CALLED =
  /\b(?:run(?:_always|_install|_command)?|local|sudo|sh|shell|commandLine|command)\b\s*[:(=]?\s*\(?\s*((?:\[\s*)?(?:["'][^"'\n]*["']\s*,?\s*)+)/g;
const inCalls = (text: string): string[] => inLists(text, CALLED);

const RUNNERS: readonly Runner[] = [
  { programs: /^(?:task|go-task)$/, files: /\/[Tt]askfile[^/]*\.ya?ml$/, commands: inYaml },
  { programs: /^lefthook$/, files: /\/\.?lefthook[^/]*\.ya?ml$/, commands: inYaml },
  { programs: /^pre-commit$/, files: /\/\.pre-commit-config\.yaml$/, commands: inYaml },
  { programs: /^dvc$/, files: /\/dvc\.yaml$/, commands: inYaml },
  { programs: /^act$/, files: /\/\.github\/workflows\/[^/]+$/, commands: inYaml },
  { programs: /^ansible(?:-playbook)?$/, files: /\.ya?ml$/, commands: inYaml },
  { programs: /^(?:foreman|honcho|overmind|goreman|hivemind)$/, files: /\/Procfile[^/]*$/, commands: inProcfile },
  { programs: /^tox$/, files: /\/(?:tox\.ini|setup\.cfg|pyproject\.toml)$/, commands: inIni },
  {
    programs: /^(?:poe|hatch|pdm|rye|pixi|task|mise|rtx|tox|poetry)$/,
    files: /\/(?:pyproject|pixi|\.?mise|hatch)\.toml$/,
    commands: inToml,
  },
  { programs: /^(?:nox|invoke|inv|fab)$/, files: /\.py$/, commands: inCalls },
  { programs: /^(?:rake|bundle|rails|thor)$/, files: /\/Rakefile$|\.(?:rake|thor|rb)$/, commands: inCalls },
  { programs: /^gradlew?$/, files: /\.gradle(?:\.kts)?$/, commands: inCalls },
  { programs: /^meson$/, files: /\/meson\.build$/, commands: inCalls },
  { programs: /^snakemake$/, files: /\/Snakefile$|\.smk$/, commands: inCalls },
  { programs: /^(?:mvnw?|mvnd|ant)$/, files: /\/(?:pom|build)\.xml$/, commands: inXml },
  { programs: /^(?:cmake|ninja|make)$/, files: /\/CMakeLists\.txt$|\.cmake$/, commands: inCmake },
  { programs: /^nodemon$/, files: /\/nodemon\.json$/, commands: stringLiterals },
  { programs: /^lint-staged$/, files: /\/\.lintstagedrc[^/]*$|\/lint-staged\.config\.\w+$/, commands: stringLiterals },
];

const unquoted = (text: string) => text.replace(/^(["'])(.*)\1$/, "$2");

const MAX_COMMANDS = 60;

/** The commands that a task runner finds in its own settings: `task x` runs `cmds` of `Taskfile.yml`. */
export function commandsInSettings(program: string, path: string, text: string): string[] {
  const found = RUNNERS.filter(({ programs, files }) => programs.test(program) && files.test(path));
  return [...new Set(found.flatMap(({ commands }) => commands(text)))].filter(isProgram).slice(0, MAX_COMMANDS);
}
