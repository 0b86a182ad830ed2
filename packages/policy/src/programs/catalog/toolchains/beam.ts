import { defineProgram } from "../../define-program.ts";

/** Elixir and Erlang. */
export const BEAM = [
  defineProgram({
    names: "mix rebar3 gleam elixirc erlc",
    does: "work",
    isOpen: true,
    operands: "value",
    options: "-r:c --require:c -e:x --eval:x",
    check: ({ operands }) => {
      const task = operands[0]?.text ?? "";
      if (
        /^(test|compile|format|credo|dialyzer|help|phx\.routes|phx\.server|xref|docs|coveralls(\..*)?|ecto\.(migrations|migrate|create|gen\..*|dump)|deps(\.tree|\.audit)?|hex\.(audit|outdated|info)|sobelow|assets\.build|check|build|ct|eunit|run|proper|lint|gettext\..*|phx\.gen\..*|clean|app\.tree|profile\..*|lock|xref)$/.test(
          task,
        )
      )
        return task === "run" ? "work" : "work";
      if (task === "deps.get" || task === "deps.compile") return "restore";
      if (/^(ecto\.(drop|reset|rollback))$/.test(task)) return "destroy";
      if (/^hex\.publish|^hex\.(user|organization|owner|retire)|^publish$/.test(task)) return "publish";
      return task === "" ? "read" : "change";
    },
    runs: ["mix test", "mix format --check-formatted", "mix deps.get", "gleam test"],
    asks: ["mix ecto.drop", "mix hex.publish", "mix archive.install x"],
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
