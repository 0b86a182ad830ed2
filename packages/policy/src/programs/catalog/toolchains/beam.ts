import { defineProgram, type Effect, isStronger } from "../../define-program.ts";
import { migratesBack } from "../../names/project-scripts.ts";

/** Tasks that build, test, generate or print. */
const WORKS =
  /^(test|compile|format|credo|dialyzer|help|phx\.routes|phx\.server|xref|docs|coveralls(\..*)?|ecto\.(migrations|migrate|create|gen\..*|dump)|deps(\.tree|\.audit)?|hex\.(audit|outdated|info)|sobelow|assets\.build|check|build|ct|eunit|run|proper|lint|gettext\..*|phx\.gen\..*|clean|app\.tree|profile\..*|lock)$/;

function taskEffect(task: string): Effect {
  if (WORKS.test(task)) return "work";
  if (task === "deps.get" || task === "deps.compile") return "restore";
  if (/^ecto\.(drop|reset|rollback)$/.test(task)) return "destroy";
  if (/^hex\.publish|^hex\.(user|organization|owner|retire)|^publish$/.test(task)) return "publish";
  return task === "" ? "read" : "change";
}

/** `mix do a, b + c`: a comma may be lost with an option before it, so every word counts as a task. */
const tasksOf = (words: readonly string[]): string[] =>
  words.flatMap((word) => word.split(",")).filter((word) => word !== "" && word !== "+");

const graver = (a: Effect, b: Effect): Effect => (isStronger(b, a) ? b : a);

/** Elixir and Erlang. */
export const BEAM = [
  defineProgram({
    names: "mix rebar3 gleam elixirc erlc",
    does: "work",
    isOpen: true,
    operands: "value",
    options: "-r:c --require:c -e:x --eval:x",
    check: ({ name, operands, options }) => {
      const words = operands.map(({ text }) => text);
      const given = options.flatMap((option) => [option.name, option.value?.text ?? ""]);
      if (words.some((word) => migratesBack([word, ...given, ...words.slice(1)]))) return "destroy";
      return name === "mix" && words[0] === "do"
        ? tasksOf(words.slice(1)).map(taskEffect).reduce(graver, "read")
        : taskEffect(words[0] ?? "");
    },
    runs: [
      "mix ecto.migrate",
      "mix test",
      "mix format --check-formatted",
      "mix deps.get",
      "mix do deps.get, test",
      "gleam test",
    ],
    asks: [
      "mix ecto.drop",
      "mix ecto.migrate --to 0",
      "mix do compile --force, ecto.drop",
      "mix do compile + hex.publish",
      "mix hex.publish",
      "mix archive.install x",
    ],
  }),
  defineProgram({
    names: "iex erl",
    does: "code",
    isOpen: true,
    options: "-S: --version -v --help",
    operands: "value",
    check: ({ options }) =>
      options.length > 0 && options.every(({ name }) => /^(--version|-v|--help)$/.test(name)) ? "read" : null,
    runs: ["iex --version"],
    asks: ["iex -S mix", "iex", "erl -eval 'x'"],
  }),
];
