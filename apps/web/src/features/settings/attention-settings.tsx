"use client";

import { useState } from "react";
import { playChime } from "@/features/attention/chime.ts";
import { askForNotifications, notify } from "@/features/attention/notify.ts";
import { usePreferences } from "@/features/attention/preferences.ts";
import { Button } from "@/ui/controls/button.tsx";
import { Switch } from "@/ui/controls/switch.tsx";
import { ErrorMessage } from "@/ui/states/error-message.tsx";
import { Section } from "./section.tsx";

const REFUSED = {
  denied: "This browser does not allow it. Allow notifications for this site in its settings, then try again.",
  unsupported: "This browser has no notifications, or only on https. Serve Belay over https to use them.",
} as const;

/** How this browser announces waiting commands. */
export function AttentionSettings() {
  const [preferences, change] = usePreferences();
  const [problem, setProblem] = useState<string | null>(null);
  async function setNotifications(isOn: boolean) {
    setProblem(null);
    if (!isOn) return change({ notifications: false });
    const answer = await askForNotifications();
    if (answer === "granted") change({ notifications: true });
    else setProblem(REFUSED[answer]);
  }
  async function showTest() {
    setProblem(null);
    const answer = await askForNotifications();
    if (answer !== "granted") return setProblem(REFUSED[answer]);
    await notify({
      tag: "belay-test",
      title: "Belay",
      body: "This is how a waiting command reaches you.",
      path: "/approvals",
    });
  }
  return (
    <Section
      title="Notifications"
      about="In this browser, when a command waits for a person. The tab’s title and icon always show how many."
    >
      <div className="grid gap-3">
        <Switch
          label="Show notifications"
          hint="When this page isn’t in front of you."
          isOn={preferences.notifications}
          onChange={(isOn) => void setNotifications(isOn)}
        />
        <ErrorMessage>{problem}</ErrorMessage>
        <Switch
          label="Sound"
          hint="Two soft notes."
          isOn={preferences.sound}
          onChange={(isOn) => change({ sound: isOn })}
        />
        <div className="flex flex-wrap gap-2">
          <Button look="quiet" size="small" onClick={() => void showTest()}>
            Show a test notification
          </Button>
          <Button look="quiet" size="small" onClick={playChime}>
            Hear it
          </Button>
        </div>
      </div>
    </Section>
  );
}
