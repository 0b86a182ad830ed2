import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { Refresher } from "./refresher.ts";

test("W1 a change during the first fetch is not lost", async () => {
  const { refresher, server, shown } = watchServer();
  const first = server.nextFetch();
  server.value = "new";

  const refreshed = refresher.refresh();
  first.answer("old");
  (await server.fetched(2)).answer(server.value);
  await refreshed;

  expect(shown()).toBe("new");
});

test("W1 a hundred changes during one fetch lead to one more fetch", async () => {
  const { refresher, server, shown } = watchServer();
  server.nextFetch().answer("first");
  const refreshing = refresher.refresh();
  const second = await server.fetched(2);

  for (let change = 0; change < 100; change += 1) void refresher.refresh();
  second.answer("second");
  (await server.fetched(3)).answer("third");
  await refreshing;

  expect(shown()).toBe("third");
  expect(server.count()).toBe(3);
});

/** A query that the test answers by hand. */
function watchServer() {
  const queryClient = new QueryClient();
  const fetches: { answer(value: string): void }[] = [];
  let onFetch = () => {};
  const observer = new QueryObserver<string>(queryClient, {
    queryKey: ["things"],
    queryFn: () =>
      new Promise((resolve) => {
        fetches.push({ answer: resolve });
        onFetch();
      }),
  });
  onTestFinished(observer.subscribe(() => {}));
  const fetched = async (count: number) => {
    for (;;) {
      const fetch = fetches[count - 1];
      if (fetch) return fetch;
      await new Promise<void>((resolve) => {
        onFetch = resolve;
      });
    }
  };
  const nextFetch = () => {
    const [fetch] = fetches;
    if (!fetch) throw new Error("Nothing was fetched.");
    return fetch;
  };
  return {
    refresher: new Refresher(queryClient, { queryKey: ["things"] }),
    server: { value: "old", fetched, nextFetch, count: () => fetches.length },
    shown: () => queryClient.getQueryData(["things"]),
  };
}
