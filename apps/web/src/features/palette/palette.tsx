"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import {
  BellRing,
  Bot,
  Folder,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Play,
  Snowflake,
  SquareTerminal,
  Sun,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog as Radix } from "radix-ui";
import { visibleText } from "@/features/approvals/card/visible-text.ts";
import type { Page } from "@/features/frame/pages.ts";
import { leave } from "@/features/frame/person-menu.tsx";
import { setTheme } from "@/features/frame/theme.ts";
import { useFreeze } from "@/features/frame/use-freeze.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { useTerminals } from "@/features/terminals/overview/use-terminals.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Kbd } from "@/ui/controls/kbd.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { matchWords } from "./match-words.ts";

/** The approvals and folders that a person is most likely to mean. */
const MOST_OF_A_KIND = 50;

/** Everything by name: pages, agents, terminals, commands, folders, and global actions. */
export function Palette({ pages, isFrozen, onClose }: { pages: readonly Page[]; isFrozen: boolean; onClose(): void }) {
  const router = useRouter();
  const trpc = useTRPC();
  const { canOperate } = useMe();
  const { views } = useTerminals();
  const agents = useQuery(trpc.agents.list.queryOptions());
  const approvals = useQuery(trpc.approvals.list.queryOptions({ state: "all" }));
  const onError = ({ message }: { message: string }) => toast(message);
  const freeze = useFreeze();
  const release = useMutation(trpc.gateway.release.mutationOptions({ onError }));
  const folders = [...new Set(views?.map(({ info }) => info.cwd))].slice(0, MOST_OF_A_KIND);
  function run(act: () => void) {
    onClose();
    act();
  }
  const go = (href: string) => () => run(() => router.push(href));
  const goSearch = (text: string) => go(`/?search=${encodeURIComponent(text)}`);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-x-2 top-2 z-50 overflow-hidden rounded-xl border border-line bg-raised shadow-2xl sm:inset-x-auto sm:top-[min(15vh,6rem)] sm:left-1/2 sm:w-full sm:max-w-xl sm:-translate-x-1/2"
        >
          <Radix.Title className="sr-only">Go to</Radix.Title>
          <Command label="Go to" loop filter={matchWords}>
            <Command.Input
              placeholder="Terminals, agents, commands, folders, actions"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none"
            />
            <Command.List className="max-h-[min(60dvh,calc(100dvh-8rem))] overflow-y-auto p-1.5">
              <Command.Empty className="p-4 text-sm text-muted">Nothing matches.</Command.Empty>
              <Group heading="Pages">
                {pages.map(({ href, name, icon, key }) => (
                  <Item
                    key={href}
                    icon={icon}
                    name={name}
                    keys={`g ${key}`}
                    value={`page ${name}`}
                    onSelect={go(href)}
                  />
                ))}
              </Group>
              <Group heading="Terminals">
                {views?.map(({ info, agent, words }) => (
                  <Item
                    key={info.id}
                    icon={SquareTerminal}
                    name={agent ?? info.name ?? info.id}
                    value={`${info.id} ${info.name ?? ""} ${agent ?? ""} ${words.text} ${words.line ?? ""} ${info.cwd}`}
                    hint={words.line === null ? `${words.text} in ${info.cwd}` : words.text}
                    line={words.line}
                    onSelect={go(`/terminal?id=${info.id}`)}
                  />
                ))}
              </Group>
              <Group heading="Agents">
                {agents.data?.map((agent) => (
                  <Item
                    key={agent.id}
                    icon={Bot}
                    name={agent.name}
                    value={`agent ${agent.name} ${agent.id}`}
                    hint={agent.profile}
                    onSelect={goSearch(agent.name)}
                  />
                ))}
              </Group>
              <Group heading="Approvals">
                {approvals.data?.slice(0, MOST_OF_A_KIND).map(({ id, subject, state }) => (
                  <Item
                    key={id}
                    icon={BellRing}
                    name={state.status === "pending" ? "waiting" : state.status}
                    value={`${id} ${subject.text}`}
                    line={visibleText(subject.text.slice(0, 120))}
                    onSelect={go(`/approvals?id=${id}`)}
                  />
                ))}
              </Group>
              <Group heading="Folders">
                {folders.map((folder) => (
                  <Item
                    key={folder}
                    icon={Folder}
                    name="Terminals in"
                    value={`folder ${folder}`}
                    line={folder}
                    onSelect={goSearch(folder)}
                  />
                ))}
              </Group>
              <Group heading="Actions">
                {canOperate && !isFrozen && (
                  <Item
                    icon={Snowflake}
                    name="Freeze all agents"
                    onSelect={() => run(() => freeze.mutate({ scope: "*" }))}
                  />
                )}
                {canOperate && isFrozen && (
                  <Item
                    icon={Play}
                    name="Release all agents"
                    onSelect={() => run(() => release.mutate({ scope: "*" }))}
                  />
                )}
                <Item icon={Sun} name="Light colours" onSelect={() => run(() => setTheme("light"))} />
                <Item icon={Moon} name="Dark colours" onSelect={() => run(() => setTheme("dark"))} />
                <Item icon={Monitor} name="Same colours as system" onSelect={() => run(() => setTheme(null))} />
                <Item icon={LogOut} name="Sign out" onSelect={() => run(leave)} />
              </Group>
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Group({ heading, children }: { heading: string; children: React.ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

function Item({
  icon: Icon,
  name,
  value = name,
  hint,
  keys,
  line = null,
  onSelect,
}: {
  icon: LucideIcon;
  name: string;
  value?: string;
  hint?: string;
  /** Actions that are available everywhere. */
  keys?: string;
  /** A command or a folder, in monospace. */
  line?: string | null;
  onSelect(): void;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-10 pointer-coarse:min-h-11 cursor-pointer items-center gap-3 rounded-md px-2.5 text-sm data-[selected=true]:bg-sunken"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="shrink-0 whitespace-nowrap">{name}</span>
      {hint && <span className={line === null ? "truncate text-muted" : "shrink-0 text-muted"}>{hint}</span>}
      {line !== null && <code className="min-w-0 truncate font-mono text-xs text-muted">{line}</code>}
      {keys && (
        <span className="ml-auto max-md:hidden">
          <Kbd>{keys}</Kbd>
        </span>
      )}
    </Command.Item>
  );
}
