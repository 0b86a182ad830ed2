import type { Field } from "../../language/state/values.ts";
import { commandWords } from "../effects/command-words.ts";
import { type GraveEffect, taskEffect } from "./grave-words.ts";
import { migratesBack } from "./project-scripts.ts";

type Words = readonly string[];

const every = (words: Words): Words => words;
/** Only the first word and words with a colon are tasks; the others are arguments: `rails generate model Upload`. */
const firstAndQualified = (words: Words): Words => words.filter((word, at) => at === 0 || word.includes(":"));
/** Building or testing a target named `deploy` is harmless; running it is not. */
const afterRun = (words: Words): Words =>
  words[0] === "run"
    ? words.slice(1).flatMap((word) => word.replace(/\.(?:apply|create|replace)$/, ".deploy").split(/[/:]/))
    : [];
/** A tool of the project, such as `dotnet lambda`. */
const ofDotnetTool = (words: Words): Words =>
  /^(?:publish|build|test|run|pack|restore|clean|format|watch|msbuild|vstest)$/.test(words[0] ?? "")
    ? []
    : words.slice(0, 2);
/** `java -jar cli.jar delete-job x`; a name with a capital is a class. */
const ofJar = (words: Words): Words => words.slice(0, 2).filter((word) => /^[a-z][\w:-]*$/.test(word));
/** `nx run app:deploy`, `nx deploy app`: the words before the colon and after the target are projects. */
const ofNx = (words: Words): Words => (words[0] === "run" ? (words[1]?.split(":").slice(1) ?? []) : words.slice(0, 1));

/** Their words are verbs that their tables do not list. After the name of a thing, some change a service: `app create`. */
const ofThings = (words: Words): Words => words.map((word, at) => (at > 0 && STARTS.test(word) ? "deploy" : word));
const STARTS = /^(?:create|start|execute|launch|update|set|grant|scale)$/;

/** Which words of these programs name tasks of the project. */
const TASKS: Readonly<Record<string, (words: Words) => Words>> = {
  ...Object.fromEntries(
    "mvn mvnw mvnd gradle gradlew ant sbt lein mill pants turbo lage moon invoke inv fab doit nox poe grunt gulp jake cake scons waf xmake make gmake bmake wp symfony just task mage earthly npm-run-all npm-run-all2 run-s run-p wireit"
      .split(" ")
      .map((name) => [name, every]),
  ),
  ...Object.fromEntries(
    "dub scarb leo wasmer spin conftest cue semgrep sqlc promtool infracost lake kubescape move aiken jupyter celery rq changeset lerna"
      .split(" ")
      .map((name) => [name, ofThings]),
  ),
  ...Object.fromEntries("rails rake thor hanami artisan expo".split(" ").map((name) => [name, firstAndQualified])),
  ...Object.fromEntries("bazel bazelisk buck2 please plz".split(" ").map((name) => [name, afterRun])),
  // It copies files or a whole database to another site.
  drush: (words) => words.map((word) => (/^(?:rsync|sql[:-]sync|core[:-]rsync)$/.test(word) ? "deploy" : word)),
  nx: ofNx,
  ng: ofNx,
  dotnet: ofDotnetTool,
  java: ofJar,
};

/** `rake test db:drop`, `gradle artifactoryPublish`: the effect that the name of a task suggests. */
export function namedTaskEffect(program: string, args: readonly Field[]): GraveEffect | null {
  const tasksOf = Object.hasOwn(TASKS, program) ? TASKS[program] : undefined;
  if (tasksOf === undefined) return null;
  if (migratesBack(args.map(({ text }) => text))) return "destroy";
  const effects = [...tasksOf(commandWords(program, args)), ...targetsOf(program, args)].map(taskEffect);
  return effects.includes("destroy") ? "destroy" : effects.includes("publish") ? "publish" : null;
}

/** `nx run-many -t build,publish`. */
function targetsOf(program: string, args: readonly Field[]): string[] {
  if (program !== "nx") return [];
  const texts = args.map(({ text }) => text);
  return texts.flatMap((text, at) => {
    const [name, attached] = text.split("=", 2);
    if (name !== "-t" && name !== "--target" && name !== "--targets") return [];
    if (attached !== undefined) return attached.split(",");
    const end = texts.findIndex((word, later) => later > at && word.startsWith("-"));
    return texts.slice(at + 1, end < 0 ? undefined : end).flatMap((word) => word.split(","));
  });
}
