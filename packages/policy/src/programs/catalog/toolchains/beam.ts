import { defineProgram, type Effect, isStronger, type ProgramUse } from "../../define-program.ts";
import { taskEffect as namedEffect } from "../../names/grave-words.ts";
import { migratesBack } from "../../names/project-scripts.ts";
import { has } from "../use.ts";

/** Tasks that build, test, generate or print. */
const WORKS =
  /^(test|compile|format|credo|dialyzer|help|phx\.routes|phx\.server|xref|docs|coveralls(\..*)?|ecto\.(migrations|migrate|create|gen\..*|dump)|deps(\.tree|\.audit)?|hex\.(audit|outdated|info)|sobelow|assets\.build|check|build|ct|eunit|run|proper|lint|gettext\..*|phx\.gen\..*|clean|app\.tree|profile\..*|lock|release|escript\.build|fmt|hank|cover|edoc|ex_doc)$/;

/** Tasks of Mix and of Hex that install, update or change something besides the project. */
const CHANGES =
  /^(archive|local|escript|hex|phx|nerves|igniter|app|new|do|cmd|eval|firmware|burn|upload)(\..*)?$|^deps\.(?:update|clean|unlock)$/;

function taskEffect(task: string): Effect {
  if (WORKS.test(task)) return "work";
  if (task === "deps.get" || task === "deps.compile") return "restore";
  if (/^ecto\.(drop|reset|rollback)$/.test(task)) return "destroy";
  if (/^hex\.publish|^hex\.(user|organization|owner|retire)|^publish$/.test(task)) return "publish";
  return task === "" ? "read" : "change";
}

/** The project and its libraries define tasks, as `package.json` defines scripts. They are judged by their names. */
function mixEffect(task: string): Effect {
  const known = taskEffect(task);
  if (known !== "change" || CHANGES.test(task)) return known;
  return namedEffect(task) ?? "work";
}

/** `mix deps.unlock --check-unused` only looks. */
const onlyChecks = (use: ProgramUse, task: string): boolean =>
  task === "deps.unlock" && has(use, "--check-unused") && use.options.length === 1;

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
    options: "-r:c --require:c -e: --eval: -o:w",
    check: (use) => {
      const words = use.operands.map(({ text }) => text);
      const [task = ""] = words;
      const given = use.options.flatMap((option) => [option.name, option.value?.text ?? ""]);
      if (words.some((word) => migratesBack([word, ...given, ...words.slice(1)]))) return "destroy";
      // Another file is code from elsewhere.
      if (task === "run" && words.slice(1).some((word) => /^(?:\/|~|\.\.)/.test(word))) return "code";
      // The code of `mix run` and `mix eval` is looked at.
      if (has(use, "-e", "--eval")) return use.name === "mix" && task === "run" ? "work" : "code";
      if (use.name === "mix" && task === "eval") return words.length > 1 ? "work" : "code";
      // The compilers take files.
      if (use.name === "erlc" || use.name === "elixirc") return null;
      // `rebar3 do eunit, ct`, `rebar3 as test compile`
      if (use.name === "rebar3" && (task === "do" || task === "as"))
        return tasksOf(words.slice(task === "as" ? 2 : 1))
          .map(taskEffect)
          .reduce(graver, "read");
      if (use.name !== "mix") return taskEffect(task);
      if (onlyChecks(use, task)) return "work";
      return task === "do" ? tasksOf(words.slice(1)).map(mixEffect).reduce(graver, "read") : mixEffect(task);
    },
    runs: [
      "mix ecto.migrate",
      "mix test",
      "mix format --check-formatted",
      "mix deps.get",
      "mix do deps.get, test",
      "mix precommit",
      "mix ash.codegen add_users",
      "mix deps.unlock --check-unused",
      "mix release --overwrite",
      "mix run -e 'IO.puts(App.version())'",
      "mix eval 'IO.inspect(Enum.sum(1..9))'",
      "gleam test",
      "rebar3 do eunit, ct",
      "rebar3 as test compile",
      "erlc -o ebin src/a.erl",
    ],
    asks: [
      "mix data.reset",
      "mix site.deploy",
      "mix deps.unlock --all",
      "mix deps.update --all",
      "mix local.hex",
      "mix phx.new x",
      "mix cmd rm x",
      "mix run -e 'System.cmd(\"ls\", [])'",
      "mix run -e 'App.Repo.delete_all(App.User)'",
      "mix run -e 'IO.inspect(Application.get_all_env(:app))'",
      "mix eval 'File.rm_rf!(\"lib\")'",
      "mix test -e x",
      "mix run --eval='System.cmd(\"ls\", [])'",
      "mix run /tmp/x.exs",
      "gleam add x",
      "rebar3 as prod hex publish",
      "rebar3 do compile, hex publish",
      "erlc -o ~/x src/a.erl",
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
