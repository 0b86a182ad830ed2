import type { Invocation } from "../../language/commands/invocation.ts";
import { asks } from "../rule.ts";

/** The firewall, routes, names, clock, kernel, accounts and locked files of the machine, which others use too. */
export const MACHINE_SETTINGS = [
  asks({
    id: "machine-settings",
    level: "dangerous",
    reason: "Changes the network, clock, kernel, accounts or services of the whole machine.",
    programs: [
      ..."ip ifconfig route iptables ip6tables nft ufw firewall-cmd tc nmcli resolvectl wg wg-quick tailscale netplan".split(
        " ",
      ),
      ..."hostnamectl timedatectl localectl hwclock sysctl modprobe chage chsh usermod groupadd gpasswd tuned-adm swapon swapoff chattr docker nixos-rebuild darwin-rebuild home-manager".split(
        " ",
      ),
    ],
    fires: changesMachine,
  }),
];

const CHANGES = new Set(
  "add del delete change replace append set flush up down addip modify mod allow deny reject limit enable disable reset reload insert create rename join leave login logout serve funnel apply try save restore dns domain revert".split(
    " ",
  ),
);
const READS_ONLY = new Set("show list ls status get info help monitor -a -s -n".split(" "));

function changesMachine({ program, args }: Invocation): boolean {
  const words = args.map(({ text }) => text);
  const operands = words.filter((text) => !text.startsWith("-"));
  switch (program) {
    case "sysctl":
      return words.some(
        (text) => text.includes("=") || ["-w", "--write", "-p", "-f", "--load", "--system"].includes(text),
      );
    case "modprobe":
    case "chage":
      return !words.some((text) => ["-l", "--list", "-n", "--dry-run", "-c", "--showconfig", "-D"].includes(text));
    case "chsh":
    case "usermod":
    case "groupadd":
    case "gpasswd":
    case "swapon":
    case "swapoff":
      return !words.some(
        (text) => ["-l", "--list-shells", "-s", "--show", "--summary"].includes(text) && program !== "chsh",
      );
    case "hwclock":
      return words.some((text) => ["-w", "-s", "--systohc", "--hctosys", "--set", "--adjust"].includes(text));
    case "hostnamectl":
    case "timedatectl":
    case "localectl":
      return operands.some((text) => text.startsWith("set-") || (text === "hostname" && operands.length > 1));
    case "iptables":
    case "ip6tables":
      return words.some((text) =>
        /^(?:-[ADIRFZNXPE]|--(?:append|delete|insert|replace|flush|zero|new|policy|rename))/.test(text),
      );
    case "nixos-rebuild":
    case "darwin-rebuild":
    case "home-manager":
      return operands.some((text) => ["switch", "boot", "test"].includes(text));
    case "chattr":
      return operands.some((text) => /^[+=]/.test(text)) || words.some((text) => /^-[^RVfvp]/.test(text));
    case "docker":
      // A plugin is a program that the daemon runs as root.
      return operands[0] === "plugin" && !["ls", "list", "inspect"].includes(operands[1] ?? "ls");
    case "ifconfig":
      // An address, or `-arp`; `-a` and `-s` come before the interface.
      return words.length > 1 && operands[0] !== undefined && words.at(-1) !== operands[0];
    case "tailscale":
    case "wg-quick":
    case "wg":
    case "netplan":
      return (
        operands[0] !== undefined &&
        !READS_ONLY.has(operands[0]) &&
        !["ip", "ping", "version", "netcheck"].includes(operands[0])
      );
    case "firewall-cmd":
      return words.some((text) =>
        /^--(?:add|remove|set|change|new|delete|reload|complete-reload|panic|runtime-to|direct)/.test(text),
      );
    default:
      return !operands.some((text) => READS_ONLY.has(text)) && operands.some((text) => CHANGES.has(text));
  }
}
