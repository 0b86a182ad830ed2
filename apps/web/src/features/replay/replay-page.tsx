"use client";

import type { RecordingAbout } from "@belay/agent-gateway/router";
import type { TerminalId } from "@belay/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, Download, FileText, Link2, SquareTerminal } from "lucide-react";
import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useAgents } from "@/features/approvals/use-agents.ts";
import { useShortcuts } from "@/features/frame/keys/use-shortcuts.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { formatMoment } from "@/features/terminals/overview/activity.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/controls/button.tsx";
import { Link } from "@/ui/controls/link.tsx";
import { Menu } from "@/ui/controls/menu.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { toast } from "@/ui/states/toast.tsx";
import { untilLoaded } from "@/ui/states/until-loaded.ts";
import { MarkList } from "./mark-list.tsx";
import { RedactStretch } from "./redact-stretch.tsx";
import { ReplayBar } from "./replay-bar.tsx";
import { useReplay } from "./use-replay.ts";

// Loaded only here: the player contains its own emulator.
const SegmentPlayer = dynamic(
  untilLoaded(() => import("./segment-player.tsx").then(({ SegmentPlayer }) => SegmentPlayer)),
  {
    ssr: false,
  },
);

/** One recording: the player, its commands as marks, and downloads. */
export function ReplayPage() {
  const id = useSearchParams().get("id") as TerminalId | null;
  const about = useQuery(
    useTRPC().recordings.about.queryOptions(
      { id: id ?? "pty-" },
      { enabled: id !== null, staleTime: 60_000, retry: false },
    ),
  );
  if (id === null) return <Failure message="This link doesn’t name a recording. Open one from the list of replays." />;
  if (about.error && !about.data) return <Failure message={about.error.message} retry={() => void about.refetch()} />;
  if (!about.data) return <Loading what="the recording" />;
  return <Replay key={id} about={about.data} />;
}

function Replay({ about }: { about: RecordingAbout }) {
  const query = useSearchParams();
  const agents = useAgents();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { isAdmin } = useMe();
  const [startMs] = useState(() => startOf(query, about));
  const [speed, setSpeed] = useState(1);
  const [skipsIdle, setSkipsIdle] = useState(true);
  const replay = useReplay(about.id, { startMs, isLive: about.isLive });
  const { shown, timeMs, isPlaying, jump, toggle } = replay;
  const durationMs = Math.max(about.durationMs, shown?.segment.toMs ?? 0);
  const commands = about.marks.filter(({ kind }) => kind === "command");
  const jumpTo = (mark: { timeMs: number } | undefined) => mark && void jump(mark.timeMs);
  useShortcuts({
    " ": toggle,
    n: () => jumpTo(commands.find((mark) => mark.timeMs > timeMs + 250)),
    p: () => jumpTo(commands.findLast((mark) => mark.timeMs < timeMs - 1_500)),
  });

  async function share() {
    const url = new URL(window.location.href);
    url.search = new URLSearchParams({ id: about.id, at: String(Math.round(timeMs)) }).toString();
    await navigator.clipboard.writeText(url.href);
    toast("The link to this moment is copied. Opening it requires signing in.");
  }

  const agentName = about.agentId === null ? null : agents.nameOf(about.agentId);
  return (
    <main className="flex w-full flex-1 flex-col p-4 sm:p-6 lg:min-h-0">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Link href="/replays" aria-label="All replays" className="-ml-1 rounded p-1 text-muted hover:text-ink">
          <ChevronLeft aria-hidden className="size-5" />
        </Link>
        <h1 className="text-xl font-semibold tracking-tight">{agentName ?? about.title ?? about.id}</h1>
        <p className="text-sm text-muted">
          {formatMoment(about.startedAt)} · <code className="font-mono text-xs">{about.id}</code>
        </p>
        {replay.hasJoined && <Badge tone="accent">live</Badge>}
        <span className="flex-1" />
        {about.isLive && (
          <Link
            href={`/terminal?id=${about.id}`}
            className="inline-flex h-8 items-center gap-2 rounded-md px-2.5 text-sm font-medium text-accent hover:bg-sunken pointer-coarse:h-11"
          >
            <SquareTerminal aria-hidden className="size-4" /> Watch it live
          </Link>
        )}
        <Button look="quiet" size="small" onClick={() => void share()}>
          <Link2 aria-hidden className="size-4" /> Share this moment
        </Button>
        <Menu
          trigger={
            <Button look="quiet" size="small">
              <Download aria-hidden className="size-4" /> Download
            </Button>
          }
          items={[
            {
              name: "asciicast",
              icon: Download,
              onSelect: () => window.location.assign(`/api/recordings/${about.id}.cast`),
            },
            { name: "Text", icon: FileText, onSelect: () => window.location.assign(`/api/recordings/${about.id}.txt`) },
          ]}
        />
      </header>
      <div className="mt-4 grid flex-1 gap-4 lg:min-h-0 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[minmax(0,1fr)]">
        <section
          aria-label="Player"
          className="flex min-h-0 min-w-0 flex-col overflow-hidden rounded-xl border border-line bg-screen"
        >
          <div className="relative min-h-64 flex-1 overflow-hidden max-lg:aspect-[4/3]">
            {shown ? (
              <SegmentPlayer
                segment={shown.segment}
                startMs={shown.startMs}
                isPlaying={isPlaying}
                speed={speed}
                skipsIdle={skipsIdle}
                onTime={replay.onTime}
                onEnded={replay.onEnded}
              />
            ) : (
              <p role="status" className="animate-pulse p-6 text-sm text-screen-ink">
                Loading the recording …
              </p>
            )}
          </div>
          <ReplayBar
            timeMs={timeMs}
            durationMs={durationMs}
            marks={about.marks}
            isPlaying={isPlaying}
            speed={speed}
            skipsIdle={skipsIdle}
            onToggle={toggle}
            onJump={(ms) => void jump(ms)}
            onSpeed={setSpeed}
            onSkipsIdle={setSkipsIdle}
          />
          {replay.problem && (
            <p role="alert" className="bg-danger-soft px-4 py-2 text-sm text-danger">
              {replay.problem}
            </p>
          )}
          {isAdmin && !about.isLive && (
            <RedactStretch
              id={about.id}
              timeMs={timeMs}
              onRedacted={() => {
                void queryClient.invalidateQueries(trpc.recordings.about.queryFilter({ id: about.id }));
                void replay.reload();
              }}
            />
          )}
          {shown && !shown.segment.isExact && (
            <p className="bg-raised px-4 pb-2 text-xs text-muted">
              So much was printed before this that the screen is drawn from only the last 2 MB.
            </p>
          )}
        </section>
        <MarkList marks={about.marks} endMs={about.marksEndMs} timeMs={timeMs} onJump={(ms) => void jump(ms)} />
      </div>
    </main>
  );
}

/** `at` counts from the beginning; `moment` is a time of day, as in the audit. */
function startOf(query: URLSearchParams, { startedAt, durationMs }: RecordingAbout): number {
  const at = query.has("moment") ? Number(query.get("moment")) - startedAt : Number(query.get("at") ?? 0);
  return Number.isFinite(at) ? Math.min(Math.max(0, at), durationMs) : 0;
}
