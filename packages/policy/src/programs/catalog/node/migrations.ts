import { defineProgram } from "../../define-program.ts";
import { has } from "../use.ts";

/** Tools that bring a database to the schema of the project. */
export const MIGRATIONS = [
  defineProgram({
    names: "prisma drizzle-kit typeorm knex sequelize sequelize-cli supabase atlas dbmate goose flyway liquibase",
    does: "change",
    isOpen: true,
    options:
      "--schema:c --config:c -c:c --data-source:c -d:c --url:h --force=destroy --force-reset=destroy --accept-data-loss=destroy --no-backup=destroy",
    verbs: {
      // `supabase status -o env` prints the keys of the local service.
      status: {
        does: "work",
        operands: "value",
        check: (use) => (use.name === "supabase" && has(use, "-o", "--output") ? "secret" : null),
      },
      "generate validate format version check info introspect debug inspect db:migrate:status migrate:status migration:show migrate:list migrate:currentVersion":
        {
          does: "work",
          operands: "value",
        },
      // Forward, as `rails db:migrate`: the project's own migrations, on the database of its settings.
      "db:migrate migrate:latest migrate:up migration:run up": {
        does: "work",
        operands: "value",
        check: (use) => (use.verb === "up" && use.name !== "dbmate" ? "change" : null),
      },
      migrate: {
        does: "change",
        operands: "value",
        verbs: { "status diff lint validate dev": "work", deploy: "change", reset: "destroy", resolve: "change" },
        check: (use) => (/^(?:drizzle-kit|dbmate)$/.test(use.name) && use.verb === "migrate" ? "work" : null),
      },
      db: {
        does: "change",
        operands: "value",
        verbs: {
          pull: {
            does: "change",
            options: "--print=change",
            check: (use) => (has(use, "--print") ? "work" : "change"),
          },
          "push seed": "publish",
          // Statements from a file are not visible.
          execute: "destroy",
          diff: "work",
          reset: "destroy",
          lint: "work",
          dump: "change",
          start: "work",
        },
      },
      "migration:show migration:list migrate:status migrate:list migrate:currentVersion": "work",
      migration: { does: "change", operands: "value", verbs: { "list ls": "remote" } },
      "projects functions": { does: "publish", operands: "value", verbs: { list: "remote", serve: "work" } },
      "drop reset": "destroy",
      push: "publish",
      "start stop": "work",
      studio: "change",
    },
    operands: "value",
    runs: [
      "prisma generate",
      "prisma migrate status",
      "prisma migrate dev --name init",
      "prisma db pull --print",
      "sequelize-cli db:migrate",
      "knex migrate:latest",
      "drizzle-kit migrate",
      "supabase status",
      "flyway info",
    ],
    asks: [
      "prisma migrate reset --force",
      "prisma migrate deploy",
      "DATABASE_URL=postgres://db.example.com/app knex migrate:latest",
      "dbmate --url postgres://db.example.com/app up",
      "knex migrate:rollback",
      "sequelize-cli db:migrate:undo",
      "supabase db push",
      "prisma db push",
      "supabase status -o env",
    ],
  }),
];
