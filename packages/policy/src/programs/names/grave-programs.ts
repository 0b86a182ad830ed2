/** The effect that a word suggests, in any program. */
export type GraveEffect = "publish" | "destroy";

/** Longer names are no names of programs. */
const MAX_NAME = 60;

interface Words {
  readonly text: string;
}

/** The effect that a program's name suggests, or its one-letter options. */
export function programEffect(program: string, args: readonly Words[]): GraveEffect | null {
  if (program.length > MAX_NAME) return null;
  const flag = Object.hasOwn(DESTROYING_FLAGS, program) ? DESTROYING_FLAGS[program] : undefined;
  if (DESTROYING_PROGRAM.test(program) || args.some(({ text }) => flag?.test(text) === true)) return "destroy";
  const named = nameEffect(program);
  if (named === "destroy") return named;
  const command = [program, ...args.slice(0, 4).map(({ text }) => text.slice(0, 200))].join(" ");
  return PUBLISHING_PROGRAM.test(program) || SENDERS.has(program) || PUBLISHING_COMMANDS.test(command)
    ? "publish"
    : named;
}

function nameEffect(program: string): GraveEffect | null {
  const [first, ...rest] = program.toLowerCase().split(/[-_.]/);
  if (first === undefined || !/[-_]/.test(program)) return null;
  if ([first, ...rest].some((part) => DESTROYING_PART.test(part))) return "destroy";
  return rest.some((part) => PUBLISHING_PART.test(part)) ? "publish" : null;
}

/** Program names that suggest it. */
const DESTROYING_PROGRAM =
  /^(?:\w*del|\w*flush|\w*reset(?:wal|xlog)|\w*kill\w*|\w*remove|\w*destroy|\w*restore|swapoff|umount|atrm|wipe\w*|rm\w+|\w+-trash|trash-\w+|nix-collect-garbage|drop\w+|mkfs(?:\.\w+)?|mke2fs|mkswap|wipefs|xattr|chattr|logrotate|\w*delete|fstrim|ipcrm|memcrm|lprm|dfu-util|flashrom|nrfjprog|idevicerestore|resize2fs|xfs_repair|e2fsck|fsck(?:\.\w+)?|bconsole|rd|format|deltree)$/;
/** Parts of a program's name: `lxc-destroy`, `k3s-uninstall.sh`. */
const DESTROYING_PART =
  /^(?:destroy|delete|uninstall|remove|purge|wipe|erase|undeploy|unpublish|drop|teardown|terminate|reset|revoke|passwords?|passwd)$/;
const PUBLISHING_PART = /^(?:invalidate|invalidation|dump|deploy|publish|upload|push|send|release|sync)$/;
const PUBLISHING_PROGRAM =
  /^(?:\w*mail\w*|(?!obj|hex|tcp|bit|core|mem)\w{3,}(?:dump|pump|loader)|\w*deploy\w*|\w*publish\w*|release-it|np|semantic-release|surge|gh-pages|ngrok|croc|transfer|codecov|coveralls|chromatic|reviewdog|danger|gist|pastebinit|termbin|sprunge|wgetpaste|kaggle|kcat|kafkacat|[\w-]+[-_](?:pub|upload|reporter)|upload[-_]\w+|[\w-]+-producer|[\w-]{0,30}slack[\w-]*|[\w-]{0,30}(?:telegram|whatsapp|mattermost|webhook)[\w-]*|puppet|now)$/;

/** Programs that send files, messages or what they find to another machine, or open a way in; whatever their words are. */
const SENDERS: ReadonlySet<string> = new Set(
  (
    "dput dupload debrelease debcommit copr-cli reprepro osc arc git-review rbt spr copr kaniko executor nix-copy-closure conda-build " +
    "autossh et eternalterminal mutt ssmtp signal-cli notify noti twurl gcalcli khal clasp mega-put mega-get mega-rm mega-sync megacmd onedrive nextcloudcmd dpaste imgur asciinema honeymarker certbot acme.sh lego dehydrated jenkins-cli codefresh salt-key salt-run cinc-client nomad-pack nsq_to_http nsq_to_file tarsnap rsnapshot cloud-sql-proxy neomutt s-nail nail alpine aerc irssi weechat telegram-send matrix-commander apprise pushover gotify discord.sh " +
    "wput ncftpput unison azcopy duplicity duplicati cadaver syncthing smbclient tftp socat telnet websocat wscat ix pb gist-paste " +
    "frpc frps chisel bore zerotier-cli cloudflared sonar-scanner fossa nsq_to_nsq vc nsupdate cli53 ldapmodify ldapadd percy saucectl maestro cc-test-reporter " +
    "clearml-task nbdev_pypi angular-cli-ghpages kcadm.sh elasticdump fedpkg koji bodhi lncli bitcoin-cli rbtools " +
    "rundeck rd st2 stackstorm awx tower-cli steamcmd claudia paconn deploy-rs varnishadm patronictl orchestrator-client gh-ost couchrestore zmprov zimbra pgloader " +
    // Stores of apps, tunnels to this machine, and stacked reviews.
    "deliver pilot supply match sigh pem produce boarding pagekite serveo telebit inlets inlets-pro pinggy devtunnel zrok localxpose ghp-import convex contentful sanity caprover tccli huaweicloud ghstack itms-transporter iTMSTransporter"
  ).split(" "),
);

/** Options with one letter that remove something. */
const DESTROYING_FLAGS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries("pacman yay paru".split(" ").map((name) => [name, /^-R/])),
  at: /^-[dr]$/,
  emerge: /^-[cC]$/,
  dpkg: /^-[Pr]$/,
  rpm: /^-e/,
  "nix-env": /^-e$/,
  "ssh-add": /^-[dD]$/,
  "ssh-keygen": /^-R$/,
  auditctl: /^-[dD]$/,
  losetup: /^-[dD]$/,
  ipset: /^-[XF]$/,
  ebtables: /^-[XF]$/,
  pfctl: /^-F/,
  tarsnap: /^-d$/,
  fastboot: /^-w$/,
  avrdude: /^-e$/,
  ideviceinstaller: /^-U$/,
  mmv: /^-[dro]$/,
  rename: /^-f$/,
  tern: /^-d$/,
  "s6-rc": /^-d$/,
  mdadm: /^-S$/,
  multipath: /^-F$/,
  iscsiadm: /^-u$/,
  exportfs: /^-u/,
  "corosync-cfgtool": /^-H$/,
  postsuper: /^-d$/,
  exim: /^-M/,
};

/** Commands whose words do not say that they change a remote system. */
const PUBLISHING_COMMANDS =
  /^(?:snyk (?:\w+ )?(?:monitor|auth|ignore)|jf (?:rt (?:u|bp|bpr|bdi|cp|mv|del|dp|dpr|sp|delp|gp)|c|atc|rb\w+|ds|mc)|hexo d|jib build|docker (?:buildx )?build .*(?:type=registry|push=true)|(?!(?:docker|podman|brew|sail|tilt|vagrant|supabase|docker-compose|podman-compose|devenv|ddev|process-compose) )\S+ up|(?:\S+-rebuild|home-manager) switch|sf (?:apex run|data (?:create|update|upsert|import))|hdfs namenode -format|kafka-storage(?:\.sh)? format|weed shell|acorn run|sky launch|bolt (?:command|script|task|plan) run|hf jobs|ipfs add|brew (?:bump\S*|gist-logs|pr-\S+|test-bot|untap)|git (?:daemon|instaweb)|terraform (?:logout|init .*-migrate-state)|wevtutil cl|adb (?:-s \S+ )?install|zappa update|regctl image copy|svn (?:copy|cp|mkdir|move|mv)|telepresence quit|akamai property|kopia maintenance|borg compact|btrfs (?:balance|replace|device)|openocd|modal run|hut paste|git machete|git review|git-branchless|occ maintenance:mode|craft db|osascript|piccolo migrations backwards|refinery migrate|alembic stamp|pgbench -i|flatpak-builder --repo|wp site empty)\b/;
