"use client";

import { useMe } from "@/features/frame/use-me.ts";
import { AboutSettings } from "./about-settings.tsx";
import { AttentionSettings } from "./attention-settings.tsx";
import { HealthSettings } from "./health-settings.tsx";
import { MachineSettings } from "./machine-settings.tsx";
import { RecordSettings } from "./record-settings.tsx";
import { RetentionSettings } from "./retention-settings.tsx";
import { WebhookSettings } from "./webhook-settings.tsx";

/** Notifications, retention, health, and information on this installation. */
export function SettingsPage() {
  const { isAdmin } = useMe();
  return (
    <main className="w-full max-w-3xl p-4 sm:p-6">
      <h1 className="text-xl font-semibold tracking-tight">Settings</h1>
      <AttentionSettings />
      {isAdmin && <WebhookSettings />}
      <RetentionSettings />
      {isAdmin && <RecordSettings />}
      <HealthSettings />
      <MachineSettings />
      <AboutSettings />
    </main>
  );
}
