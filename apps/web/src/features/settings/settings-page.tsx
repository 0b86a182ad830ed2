"use client";

import { useMe } from "@/features/frame/use-me.ts";
import { AttentionSettings } from "./attention-settings.tsx";
import { WebhookSettings } from "./webhook-settings.tsx";

/** How Belay reaches the people who look after it. */
export function SettingsPage() {
  const { isAdmin } = useMe();
  return (
    <main className="w-full max-w-3xl p-4 sm:p-6">
      <h1 className="text-xl font-semibold tracking-tight">Settings</h1>
      <AttentionSettings />
      {isAdmin && <WebhookSettings />}
    </main>
  );
}
