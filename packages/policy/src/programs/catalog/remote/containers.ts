import { isSecretPath } from "../../../dangers/paths/secret-paths.ts";
import type { Field } from "../../../language/state/values.ts";
import { defineProgram, type Effect, type ProgramUse, type UsedOption } from "../../define-program.ts";
import { has } from "../use.ts";

const READ_OPTIONS =
  "-a -q -f: -n: -l -s -t --all --quiet --filter: --format: --no-trunc --last: --latest --size --tail: --since: --until: --follow --timestamps --details --no-stream --digests --type: --human --no-color --no-log-prefix --services --volumes --profiles --images --hash: --index: --protocol: --json --orphans --dry-run --status: --verbose --pretty --tree --platform: --limit: --short --pod --list-tags --no-index --sort: --variables";

const read = (extra = "") => ({
  does: "read" as const,
  operands: "value" as const,
  options: `${READ_OPTIONS} ${extra}`,
});

/** A container's environment often contains passwords. A template may select it, or an object that includes it. */
function inspectEffect({ options }: ProgramUse): Effect | null {
  return options.some(({ value }) =>
    /\.?Env\b|environ|\.Config\s*\}|\bjson\s+\.\s*\}|\{\s*\.\s*\}/i.test(value?.text ?? ""),
  )
    ? "secret"
    : null;
}

/** `--output type=registry`: the image does not stay here. */
const isUploaded = ({ options }: ProgramUse): boolean =>
  options.some(
    ({ name, value }) => /^(?:-o|--output)$/.test(name) && /\b(?:type=registry|push=true)\b/.test(value?.text ?? ""),
  );

const isRehearsal = ({ name }: UsedOption) => /^(?:--check|--print|-f|--file)$/.test(name);

const OBJECT = (reads: string, others: string) => ({
  does: "change" as const,
  operands: "value" as const,
  isOpen: true,
  verbs: {
    [reads]: { ...read(), check: inspectEffect },
    [others]: { does: "change" as const, operands: "value" as const },
    "rm remove prune kill leave": { does: "destroy" as const, operands: "value" as const },
    "push deploy sign": { does: "publish" as const, operands: "value" as const },
  },
});

const BUILDING = OBJECT(
  "ls list inspect ps services logs show du version exists",
  "create update scale rollback use demote promote install enable disable set annotate revoke build bake stop export import init join ca join-token unlock unlock-key",
);

/** Tags of locally built images, which run the project's own code. */
const OWN_IMAGE = /^[a-z0-9][a-z0-9_./-]*:(dev|test|tests|testing|local|ci|debug|latest-local)$/;

const RUN_OPTIONS =
  "-d -i -t --rm -T -it --interactive --tty --detach --name: -e: --env: --env-file:r -w: --workdir: -u: --user: --entrypoint:=code -v:=change --volume:=change --mount:=change -p:=change --publish:=change -P=change --network:=change --net:=change --privileged=destroy --cap-add:=destroy --device:=destroy --pid:=destroy --ipc:=change --userns:=destroy --security-opt:=destroy --volumes-from:=change -l: --label: -m: --memory: --cpus: --platform: --pull: --init --no-deps --hostname: -h: --add-host: --gpus: --shm-size: --ulimit: --tmpfs: --read-only --restart: --quiet-pull --service-ports --build --remove-orphans --index: --detach-keys: -a:";

function runEffect(use: ProgramUse): Effect {
  const { does, operands } = use;
  if (does === "destroy") return "destroy";
  if (use.options.some((option) => option.does !== null)) return does === "code" ? "code" : "change";
  return has(use, "--rm") && !has(use, "-d", "--detach") && OWN_IMAGE.test(operands[0]?.text ?? "") ? "work" : "change";
}

/** The inner command is judged as if it ran here; its output comes from elsewhere. */
const INSIDE = { skip: 1, effect: "remote", isOpaque: true } as const;

const COMPOSE_VERBS = {
  "ps logs config convert images ls port top version events stats volumes": read(
    "-o:w=edit --output:w=edit --environment=secret --env-file:r --resolve-image-digests --no-interpolate --no-normalize --no-path-resolution --no-consistency",
  ),
  up: {
    does: "work" as const,
    operands: "value" as const,
    options:
      "-d --detach --build=change --no-build --force-recreate --no-recreate --no-deps --wait --wait-timeout: --scale:=change --remove-orphans=change -V=change --abort-on-container-exit --exit-code-from: --pull:=change --quiet-pull --attach: --no-start --no-log-prefix --timeout: -t: --timestamps --always-recreate-deps --watch -w",
    // In the foreground it blocks the terminal until it is stopped.
    check: (use: ProgramUse) =>
      // A context is a server, often another machine.
      has(use, "--context")
        ? ("publish" as const)
        : has(use, "-d", "--detach", "--wait", "--abort-on-container-exit", "--exit-code-from") &&
            use.options.every(({ does }) => does === null)
          ? ("work" as const)
          : ("change" as const),
  },
  run: {
    does: "change" as const,
    operands: "value" as const,
    options: RUN_OPTIONS,
    stopsAtOperand: true,
    wraps: INSIDE,
    check: (use: ProgramUse) =>
      use.does === "destroy"
        ? ("destroy" as const)
        : has(use, "--rm") && use.options.every(({ does }) => does === null) && use.operands.length === 1
          ? ("work" as const)
          : ("change" as const),
  },
  exec: {
    does: "work" as const,
    operands: "value" as const,
    options:
      "-d -T -t -i -e: --env: -u: --user: -w: --workdir: --index: --privileged=destroy --detach --no-TTY --interactive? --tty",
    stopsAtOperand: true,
    wraps: INSIDE,
    check: execEffect,
  },
  "build start stop restart pause unpause pull create cp scale watch attach commit export alpha": {
    does: "change" as const,
    operands: "value" as const,
    isOpen: true,
  },
  help: { does: "read" as const, operands: "value" as const },
  wait: { does: "read" as const, operands: "value" as const, options: "--down-project=destroy" },
  "push publish": { does: "publish" as const, operands: "value" as const, isOpen: true },
  "down rm kill": { does: "destroy" as const, operands: "value" as const, isOpen: true },
};

/** The inner command is judged separately; an interactive shell is not. */
function execEffect(use: ProgramUse): Effect {
  if (use.does === "destroy") return "destroy";
  const [, program, first] = use.operands.map(({ text }) => text);
  const isShell = program === undefined || SHELLS.has(program.slice(program.lastIndexOf("/") + 1));
  // A shell that reads the keyboard counts as one on another machine. A script that is passed to it is judged by
  // itself.
  if (!isShell || /^-[a-z]*c$/.test(first ?? "")) return "work";
  return first === undefined || /^-[il]+$/.test(first) ? "publish" : "code";
}

const SHELLS: ReadonlySet<string> = new Set("sh bash zsh ash dash ksh fish".split(" "));

const GLOBAL =
  "-c: --context: -H:h --host:h --config:c -l: --log-level: -D --debug --tls --tlsverify --tlscacert:h --tlscert:r --tlskey:r --url:h --connection:h --root:c --identity:r -v";
const COMPOSE_GLOBAL =
  "-f:c --file:c -p: --project-name: --project-directory:d --profile: --env-file:c --ansi: --progress: --parallel: --compatibility --dry-run --verbose";

/** `db:/run/secrets/password` */
function isSecretInContainer({ text }: Field): boolean {
  const colon = text.indexOf(":/");
  return colon > 0 && isSecretPath(text.slice(colon + 1), "/root");
}

export const CONTAINERS = [
  defineProgram({
    names: "docker podman nerdctl",
    does: "change",
    options: GLOBAL,
    check: (use) => (/(?:^| )cp$/.test(use.verb) && use.operands.some(isSecretInContainer) ? "secret" : null),
    verbs: {
      "ps images logs version info stats port diff history search events wait": read(),
      // What follows the container are options of ps.
      top: { does: "read", operands: "value", isHarmless: true },
      "auto-update": {
        does: "install",
        operands: "value",
        options: "--dry-run --format:",
        check: (use) => (has(use, "--dry-run") ? "read" : null),
      },
      scout: {
        does: "change",
        operands: "value",
        isOpen: true,
        verbs: { "cves quickview compare recommendations version": "remote" },
      },
      inspect: { ...read(), check: inspectEffect },
      container: OBJECT(
        "ls list ps inspect logs top stats port diff exists wait",
        "attach commit cp create exec export pause rename restart run start stop unpause update",
      ),
      image: OBJECT("ls list inspect history exists tree diff", "build import load pull save tag"),
      "network volume": {
        ...OBJECT("ls list inspect exists", "create connect disconnect update"),
        verbs: {
          "ls list inspect exists": read(),
          "create connect disconnect update": { does: "change", operands: "value" },
          "rm remove prune": { does: "destroy", operands: "value" },
        },
      },
      "config secret": OBJECT("ls list inspect exists", "create"),
      pod: OBJECT("ls list ps inspect logs top stats exists", "clone create pause restart start stop unpause"),
      machine: OBJECT("ls list inspect info", "init start stop set os ssh cp"),
      model: OBJECT(
        "ls list ps status version inspect df logs",
        "run pull tag package install-runner uninstall-runner",
      ),
      // Services run on all machines of a swarm.
      "service stack node": {
        does: "publish",
        operands: "value",
        isOpen: true,
        verbs: {
          "ls list inspect ps services logs config": { ...read(), check: inspectEffect },
          "rm remove": { does: "destroy", operands: "value" },
        },
      },
      "plugin context manifest trust checkpoint builder buildx": {
        ...BUILDING,
        verbs: {
          ...BUILDING.verbs,
          // They only check the build, or print what it would do.
          "build bake": {
            does: "change",
            operands: "value",
            options: "-f:r --file:r --check --print -o: --output:",
            check: (use) => {
              if (isUploaded(use)) return "publish";
              return has(use, "--check", "--print") && use.options.every(isRehearsal) ? "read" : null;
            },
          },
          history: {
            does: "change",
            operands: "value",
            isOpen: true,
            verbs: { "ls logs inspect": read(), rm: "destroy" },
          },
          // It writes tags to a registry.
          imagetools: { does: "publish", operands: "value", isOpen: true, verbs: { inspect: read() } },
        },
      },
      swarm: { does: "destroy", operands: "value", isOpen: true },
      system: {
        does: "change",
        operands: "value",
        isOpen: true,
        verbs: {
          "df info events": read("-v"),
          connection: { does: "change", operands: "value", verbs: { "list ls": read(), "remove rm": "destroy" } },
          "prune reset": "destroy",
        },
      },
      compose: { does: "change", options: COMPOSE_GLOBAL, verbs: COMPOSE_VERBS },
      exec: { ...COMPOSE_VERBS.exec, options: `${COMPOSE_VERBS.exec.options} --detach-keys: --env-file:r` },
      run: {
        does: "change",
        operands: "value",
        options: RUN_OPTIONS,
        stopsAtOperand: true,
        wraps: INSIDE,
        check: runEffect,
      },
      "rm rmi kill": { does: "destroy", operands: "value", isOpen: true },
      push: { does: "publish", operands: "value", isOpen: true },
      "build pull start stop restart pause unpause create cp commit export import load save tag rename update attach login logout play generate unshare mount umount kube quadlet farm":
        {
          does: "change",
          operands: "value",
          isOpen: true,
          options: "-o:w --output:w -i:r --input:r",
          check: (use) => (isUploaded(use) ? "publish" : null),
        },
      help: { does: "read", operands: "value" },
    },
    runs: [
      "docker ps -a",
      "docker logs --tail 100 api",
      "docker compose up -d",
      "docker compose -f a.yml ps",
      "docker exec api ls /app",
      "docker run --rm app:dev npm test",
      "docker inspect api",
      "docker -c ctx images",
      "docker top api -o pid,cmd",
      "docker buildx history ls",
      "docker buildx build --check .",
      "docker compose wait api",
      "podman pod inspect web",
      "podman image exists app",
      "podman machine list",
      "docker search --limit 3 redis",
    ],
    asks: [
      "docker run --rm alpine echo hello",
      "docker rm -f api",
      "docker system prune -af",
      "docker push x",
      "docker cp db:/run/secrets/password .",
      "docker --context prod compose up -d",
      "docker buildx imagetools create -t a b",
      "docker build .",
      "docker run -v /:/h app:dev ls",
      "docker exec -it c bash",
      "docker inspect -f '{{json .Config.Env}}' x",
      "docker compose down -v",
      "docker compose -f /tmp/c.yml up -d",
      "docker buildx history rm --all",
      "docker buildx build -f Dockerfile --push .",
      "docker buildx build -o type=registry -t x .",
      "docker buildx bake -f bake.hcl",
      "docker compose wait --down-project api",
      "podman pod rm -a",
      "podman machine start",
      "podman system reset",
      "podman auto-update",
      "docker model run x",
    ],
  }),
  defineProgram({
    names: "docker-compose podman-compose",
    does: "change",
    options: `${COMPOSE_GLOBAL} -H:h --host:h`,
    verbs: COMPOSE_VERBS,
    runs: ["docker-compose ps", "docker-compose config", "docker-compose up -d"],
    asks: ["docker-compose down", "docker-compose push", "docker-compose exec web bash"],
  }),
  defineProgram({
    names: "crictl",
    does: "change",
    isOpen: true,
    options: "-c:c --config:c -r:h --runtime-endpoint:h -i:h --image-endpoint:h -D -t: --timeout:",
    operands: "value",
    verbs: {
      "ps pods images image img info version stats statsp logs events imagefsinfo inspecti": {
        does: "read",
        operands: "value",
        isOpen: true,
      },
      // The settings of a container include its environment.
      "inspect inspectp": { does: "secret", operands: "value" },
      "rm rmi rmp stop stopp": { does: "destroy", operands: "value" },
      exec: {
        does: "publish",
        operands: "value",
        isOpen: true,
        stopsAtOperand: true,
        wraps: { skip: 1, effect: "remote", isOpaque: true },
      },
    },
    runs: ["crictl ps -a", "crictl images", "crictl logs 87d3"],
    asks: ["crictl inspect 87d3", "crictl rmp -a", "crictl exec -it 87d3 sh", "crictl -r unix:///tmp/x ps"],
  }),
];
