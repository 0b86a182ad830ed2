import { defineProgram } from "../../define-program.ts";

export const RUBY = [
  defineProgram({
    names: "bundle bundler",
    does: "restore",
    isOpen: true,
    options: "--gemfile:c --path:w --jobs: -j: --quiet --without: --with: --local --deployment --frozen",
    verbs: {
      "install check": { does: "restore", operands: "value" },
      "show list info outdated platform help licenses audit": { does: "read", operands: "value" },
      exec: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      config: {
        does: "change",
        operands: "value",
        verbs: { "list get": { does: "read", operands: "value" }, "set unset": "change" },
      },
      "add remove update lock init open console binstubs clean gem plugin inject pristine cache package viz": {
        does: "install",
        operands: "value",
      },
    },
    check: (use) => (use.verb === "" && use.operands.length > 0 ? "install" : null),
    runs: ["bundle install", "bundle exec rspec spec/models", "bundle list", "bundle exec rubocop"],
    asks: ["bundle update", "bundle add x", "bundle exec rm x", "bundle config set path x"],
  }),
  defineProgram({
    names: "rails rake rspec rails-erd guard spring puma rackup minitest cucumber thor hanami sidekiq",
    does: "work",
    isOpen: true,
    options:
      "-r:c --require:c -f:c --rakefile:c -I:c -C:c --config:c -e: --environment: --format: --out:w -o:w -P: -t: -p: -b: -c:c -E:x -s -T -n: --name: --seed: --tag: --example:",
    operands: "read",
    check: ({ operands, name, options }) => {
      // In rake `-e` takes code; in the others it takes the name of an environment.
      if (name === "rake" && options.some((option) => /^(?:-e|-p|-E)$/.test(option.name))) return "code";
      // `rake -T db` lists the tasks of that name.
      if (name === "rake" && options.length === 1 && /^(?:-T|--tasks)$/.test(options[0]?.name ?? "")) return "read";
      const task = operands[0]?.text ?? "";
      // Its argument is judged as code.
      if (/^(runner|r)$/.test(task) && operands.length > 1) return "work";
      if (/^(console|c|runner|r|dbconsole|db|credentials:\w+|secrets:\w+|encrypted:\w+)$/.test(task))
        return task.includes(":") ? "secret" : "code";
      if (
        /^db:(drop|reset|setup|schema:load|structure:load|truncate_all|purge|migrate:reset|rollback|migrate:down|seed:replant)/.test(
          task,
        )
      )
        return "destroy";
      if (/^(release|deploy|publish)/.test(task)) return "publish";
      if (/^(new|plugin|app:update|app:template|gem|assets:clobber)/.test(task)) return "change";
      return null;
    },
    runs: [
      "rails runner 'puts User.count'",
      "rails routes",
      "rspec spec/models",
      "rake test",
      "rake -T db",
      "rails db:migrate",
      "rails test test/models",
      "rails g model Upload",
    ],
    asks: [
      "rake test db:drop",
      "rails runner 'User.delete_all'",
      "rails runner 'system(\"id\")'",
      "rails runner /tmp/x.rb",
      "rails db:drop",
      "rails console",
      "rspec -r /tmp/x.rb",
      "rails credentials:show",
    ],
  }),
];
