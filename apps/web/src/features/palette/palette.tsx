"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import {
  BellRing,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Settings,
  Snowflake,
  SquareTerminal,
  Sun,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog as Radix } from "radix-ui";
import { useAgents } from "@/features/approvals/use-agents.ts";
import { leave } from "@/features/frame/person-menu.tsx";
import { setTheme } from "@/features/frame/theme.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { describeActivity } from "@/features/terminals/activity.ts";
import { useTRPC } from "@/trpc/client.ts";
import { toast } from "@/ui/toast.tsx";

/** Everything by name: pages, terminals, and what can be done from anywhere. */
export function Palette({ isFrozen, onClose }: { isFrozen: boolean; onClose(): void }) {
  const router = useRouter();
  const trpc = useTRPC();
  const agents = useAgents();
  const { canOperate } = useMe();
  const terminals = useQuery(trpc.terminals.list.queryOptions());
  const freeze = useMutation(trpc.gateway.freeze.mutationOptions({ onError: ({ message }) => toast(message) }));
  const now = Date.now();
  function run(act: () => void) {
    onClose();
    act();
  }
  const go = (href: string) => () => run(() => router.push(href));
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-x-2 top-2 z-50 overflow-hidden rounded-xl border border-line bg-raised shadow-2xl sm:inset-x-auto sm:top-[15vh] sm:left-1/2 sm:w-full sm:max-w-lg sm:-translate-x-1/2"
        >
          <Radix.Title className="sr-only">Go to</Radix.Title>
          <Command label="Go to" loop>
            <Command.Input
              placeholder="A terminal, a page, something to do"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none"
            />
            <Command.List className="max-h-[60dvh] overflow-y-auto p-1.5">
              <Command.Empty className="p-4 text-sm text-muted">Nothing has that name.</Command.Empty>
              <Group heading="Pages">
                <Item icon={SquareTerminal} name="Terminals" onSelect={go("/")} />
                <Item icon={BellRing} name="Approvals" onSelect={go("/approvals")} />
                <Item icon={Settings} name="Settings" onSelect={go("/settings")} />
              </Group>
              <Group heading="Terminals">
                {terminals.data?.map((terminal) => (
                  <Item
                    key={terminal.id}
                    icon={SquareTerminal}
                    name={terminal.name ?? terminal.id}
                    value={`${terminal.id} ${terminal.name ?? ""} ${terminal.cwd}`}
                    hint={`${terminal.agentId ? agents.nameOf(terminal.agentId) : "a person"}, ${describeActivity(terminal, { now, asked: null }).text}`}
                    onSelect={go(`/terminal?id=${terminal.id}`)}
                  />
                ))}
              </Group>
              <Group heading="Do">
                {canOperate && !isFrozen && (
                  <Item
                    icon={Snowflake}
                    name="Freeze all agents"
                    onSelect={() => run(() => freeze.mutate({ scope: "*" }))}
                  />
                )}
                <Item icon={Sun} name="Light colours" onSelect={() => run(() => setTheme("light"))} />
                <Item icon={Moon} name="Dark colours" onSelect={() => run(() => setTheme("dark"))} />
                <Item icon={Monitor} name="Colours as the system" onSelect={() => run(() => setTheme(null))} />
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
  onSelect,
}: {
  icon: LucideIcon;
  name: string;
  value?: string;
  hint?: string;
  onSelect(): void;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 text-sm data-[selected=true]:bg-sunken"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="shrink-0 whitespace-nowrap">{name}</span>
      {hint && <span className="truncate text-muted">{hint}</span>}
    </Command.Item>
  );
}
