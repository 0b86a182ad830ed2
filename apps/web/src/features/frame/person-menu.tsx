"use client";

import { LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { useRouter } from "next/navigation";
import { signOut } from "@/features/sign-in/auth-api.ts";
import { Menu } from "@/ui/controls/menu.tsx";
import { setTheme } from "./theme.ts";

/** The signed-in person's menu: account, theme, sign out. */
export function PersonMenu({ name, role }: { name: string; role: string }) {
  const router = useRouter();
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`${name}, ${role}`}
          className="flex h-9 pointer-coarse:h-11 pointer-coarse:min-w-11 min-w-0 cursor-pointer items-center gap-2.5 rounded-md px-1.5 text-sm hover:bg-sunken"
        >
          <span
            aria-hidden
            className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
          >
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className="truncate max-lg:hidden">{name}</span>
        </button>
      }
      header={
        <>
          <p className="font-medium">{name}</p>
          <p className="text-muted">{role}</p>
        </>
      }
      items={[
        { name: "Your account", icon: UserRound, onSelect: () => router.push("/account") },
        { name: "Light", icon: Sun, onSelect: () => setTheme("light") },
        { name: "Dark", icon: Moon, onSelect: () => setTheme("dark") },
        { name: "Same as system", icon: Monitor, onSelect: () => setTheme(null) },
        { name: "Sign out", icon: LogOut, onSelect: leave },
      ]}
    />
  );
}

export function leave(): void {
  void signOut().finally(() => window.location.assign("/sign-in"));
}
