import { defineProgram } from "../../define-program.ts";

/** Lists of tasks and plans that are kept in the repository, for people and their agents. */
export const TASK_TRACKERS = [
  defineProgram({
    names: "bd beads",
    does: "change",
    isOpen: true,
    options: "--json --db:c --actor: --no-db --no-daemon --quiet -q -v",
    operands: "value",
    verbs: {
      "list show ready blocked stats status info search count stale quickstart prime onboard version where human": {
        does: "read",
        operands: "value",
        isOpen: true,
      },
      "create new q update close reopen label comment comments epic": { does: "work", operands: "value", isOpen: true },
      dep: { does: "work", operands: "value", isOpen: true, verbs: { "tree cycles list": "read" } },
      // It commits, pulls and pushes.
      sync: { does: "publish", operands: "value", isOpen: true },
      delete: { does: "destroy", operands: "value", isOpen: true },
    },
    runs: [
      "bd ready --json",
      "bd create 'Fix the parser' -p 1",
      "bd update bd-7 --status in_progress",
      "bd dep tree bd-7",
    ],
    asks: ["bd sync", "bd delete bd-7", "bd init", "bd hooks install", "bd --db /tmp/x.db list"],
  }),
  defineProgram({
    names: "openspec",
    does: "change",
    isOpen: true,
    operands: "value",
    verbs: {
      "list show status view diff instructions schemas templates": { does: "read", operands: "value", isOpen: true },
      "validate archive new change spec": { does: "work", operands: "value", isOpen: true },
    },
    runs: ["openspec list", "openspec validate add-login --strict", "openspec archive add-login --yes"],
    asks: ["openspec init", "openspec update"],
  }),
  defineProgram({
    names: "backlog",
    does: "change",
    isOpen: true,
    operands: "value",
    verbs: {
      "task tasks": {
        does: "work",
        operands: "value",
        isOpen: true,
        verbs: { "list view show": "read", archive: "change" },
      },
      "board search overview doc decision draft sequence": { does: "work", operands: "value", isOpen: true },
    },
    runs: ["backlog task list --plain", "backlog task edit 7 -s 'In Progress'", "backlog board"],
    asks: ["backlog init", "backlog config set defaultEditor x", "backlog cleanup", "backlog browser"],
  }),
  defineProgram({
    names: "task-master task-master-ai",
    does: "change",
    isOpen: true,
    operands: "value",
    verbs: {
      "list next show tags complexity-report": { does: "read", operands: "value", isOpen: true },
      "set-status add-dependency remove-dependency validate-dependencies move generate use-tag": {
        does: "work",
        operands: "value",
        isOpen: true,
      },
      "remove-task clear-subtasks delete-tag": { does: "destroy", operands: "value", isOpen: true },
    },
    runs: ["task-master next", "task-master set-status --id=7 --status=done"],
    asks: ["task-master init", "task-master remove-task --id=7", "task-master models --setup"],
  }),
];
