import {
  BellRing,
  Bot,
  History,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  Scale,
  ScrollText,
  Server,
  Settings,
  SquareTerminal,
  Trash2,
  Users,
} from "lucide-react";

export type Role = "viewer" | "operator" | "admin";

export interface Page {
  href: string;
  name: string;
  icon: LucideIcon;
  /** `foot` is below the groups. */
  group: "now" | "record" | "control" | "foot";
  /** Pressed after `g`, it opens the page. */
  key: string;
  /** The lowest role that may use it; it is hidden from others. */
  role: Role;
  /** Whether it is in the bottom row on a phone; the others are behind "More". */
  isOnPhone?: true;
  /** Other paths that count as this page. */
  covers?: readonly string[];
}

/** Every page of the console, in the order of the navigation. */
// biome-ignore format: one line for each page
export const PAGES: readonly Page[] = [
  { href: "/", name: "Terminals", icon: SquareTerminal, group: "now", key: "t", role: "viewer", isOnPhone: true, covers: ["/terminal"] },
  { href: "/approvals", name: "Approvals", icon: BellRing, group: "now", key: "a", role: "viewer", isOnPhone: true },
  { href: "/clients", name: "Clients", icon: MessagesSquare, group: "now", key: "c", role: "viewer" },
  { href: "/audit", name: "Audit", icon: ScrollText, group: "record", key: "u", role: "operator", isOnPhone: true },
  { href: "/replays", name: "Replays", icon: History, group: "record", key: "r", role: "viewer", covers: ["/replay"] },
  { href: "/trash", name: "Trash", icon: Trash2, group: "record", key: "x", role: "viewer" },
  { href: "/agents", name: "Agents", icon: Bot, group: "control", key: "n", role: "viewer" },
  { href: "/machines", name: "Machines", icon: Server, group: "control", key: "m", role: "viewer" },
  { href: "/people", name: "People", icon: Users, group: "control", key: "e", role: "admin" },
  { href: "/policy", name: "Policy", icon: Scale, group: "control", key: "p", role: "viewer" },
  { href: "/fewer-questions", name: "Fewer questions", icon: ListChecks, group: "control", key: "f", role: "admin" },
  { href: "/settings", name: "Settings", icon: Settings, group: "foot", key: "s", role: "viewer" },
];

const RANK: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

/** The pages that a person with this role may use. */
export function pagesFor(role: Role, pages = PAGES): Page[] {
  return pages.filter((page) => RANK[role] >= RANK[page.role]);
}

export function isAt(page: Page, path: string): boolean {
  return page.href === path || (page.covers?.includes(path) ?? false);
}
