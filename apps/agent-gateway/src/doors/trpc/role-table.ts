import type { Role } from "../../people/person.ts";
import type { AppRouter } from "./router.ts";

/** What each role may do, shown to people who choose one. */
export interface RoleDuty {
  what: string;
  /** The least role that may; those above it may as well. */
  role: Role;
}

type Routers = AppRouter["_def"]["record"];
type Path = { [Name in keyof Routers & string]: `${Name}.${keyof Routers[Name] & string}` }[keyof Routers & string];
type Words<Line extends string> = Line extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Line;

/** Asked before a person has a role, or only by agents. */
type ForNoRole = "people.signInOptions" | "gateway.me" | "terminals.run" | "terminals.type" | "terminals.poll";

/** Nothing, or what is wrong: procedures without a line, and lines that name no procedure. */
type Problem<Line extends string> =
  | { noLineFor: Exclude<Path, Words<Line> | ForNoRole> }
  | { noProcedure: Exclude<Words<Line>, Path> } extends infer Found
  ? Found extends { noLineFor: never } | { noProcedure: never }
    ? never
    : Found
  : never;

/** Does not compile while there is a problem, so that a new procedure cannot break the page of people. */
function everyProcedure<const Line extends string>(
  duties: Readonly<Record<string, readonly Line[]>> & ([Problem<Line>] extends [never] ? unknown : Problem<Line>),
): Readonly<Record<string, readonly string[]>> {
  return duties;
}

/** The words for people. The required role is not repeated here: it comes from the procedures, which enforce it. */
const DUTIES = everyProcedure({
  "See terminals and what they print": [
    "terminals.list terminals.get terminals.read terminals.commands terminals.miniatures terminals.watchers terminals.ports",
    "shares.list events.all gateway.whileAway",
  ],
  "See what waits for approval and what came of it": [
    "approvals.list approvals.get approvals.outcome approvals.judgeEdit approvals.suggestRules approvals.refuseOnly",
    "clients.sessions clients.commands",
  ],
  "See what commands changed": ["changes.of changes.recent changes.diff changes.picture changes.status changes.plan"],
  "Watch and search replays": [
    "recordings.list recordings.page recordings.about recordings.segment recordings.search recordings.noteLook",
  ],
  "Read the policy and try commands on it": [
    "policy.check policy.schema policy.get policy.waitingEdit policy.versions policy.diff policy.proposals",
    "webhooks.names webhooks.passOn",
  ],
  "See agents, the trash and the state of the gateway": [
    "agents.list agents.options agents.activity people.names trash.list trash.size",
    "gateway.about gateway.doctor gateway.health gateway.onRecord gateway.frozen machines.list",
  ],
  "See and end their own sessions": ["people.sessions people.endSession"],
  "Answer approvals and propose rules": [
    "approvals.decide approvals.file approvals.previewDiff approvals.startPreview approvals.preview",
  ],
  "Open terminals, take them over, share and end them": [
    "terminals.spawn terminals.share terminals.unshare terminals.promote terminals.borrow terminals.handBack",
    "terminals.kill terminals.openPort terminals.lendAnswer terminals.passwordAsker shares.create shares.revoke",
  ],
  "Freeze, release and reset agents": ["gateway.freeze gateway.release agents.reset"],
  "Preview what a command would change": ["changes.preview"],
  "Undo what a command changed, restore from the trash": ["changes.undo trash.restore"],
  "Search the audit and verify it": [
    "audit.search audit.kinds audit.row audit.charts audit.verifying audit.verify audit.verifyAgainst",
  ],
  "Change the policy and accept proposed rules": [
    "policy.tryDraft policy.checkDraft policy.settleEdit policy.save policy.rollBack policy.simulate",
    "policy.fewerQuestions policy.acceptRules policy.dismissRules policy.settleProposal",
  ],
  "Add, change and revoke agents": ["agents.add agents.update agents.configure agents.renewToken agents.revoke"],
  "Add and revoke other machines, retire gateways": ["machines.add machines.revoke gateway.retire"],
  "Invite and remove people, change roles and passwords": [
    "people.list people.provider people.add people.remove people.setRole people.setPassword people.invite",
    "people.invitations people.withdrawInvitation roles.table",
  ],
  "Export, prune and redact the record, empty the trash": [
    "audit.noteExport audit.prune audit.redact recordings.redact trash.empty",
  ],
  "Set up webhooks, see where everything is kept": [
    "webhooks.list webhooks.add webhooks.test webhooks.remove gateway.installation",
  ],
});

/** As the router has them by their paths; its own type nests them. */
type Procedures = Readonly<Record<string, { _def: { meta?: { role: Role | null } | undefined } }>>;

/** Made from what the procedures enforce. A procedure that is missing here, or does not fit its line, is an error. */
export function readRoleTable(procedures: object): RoleDuty[] {
  const needed = new Map(
    Object.entries(procedures as Procedures).flatMap(([path, { _def }]) =>
      _def.meta?.role ? [[path, _def.meta.role]] : [],
    ),
  );
  const table = Object.entries(DUTIES).map(([what, lines]) => {
    const paths = lines.flatMap((line) => line.split(" "));
    const roles = new Set(paths.map((path) => needed.get(path)));
    for (const path of paths) needed.delete(path);
    const [role] = roles;
    if (roles.size !== 1 || !role)
      throw new Error(`"${what}" needs one role, and its procedures have ${[...roles].join(", ")}.`);
    return { what, role };
  });
  if (needed.size > 0) throw new Error(`role-table.ts has no line for ${[...needed.keys()].join(", ")}.`);
  return table;
}
