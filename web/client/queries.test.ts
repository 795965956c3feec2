import { notifyManager, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";

import { ApiError, reachable } from "./api.ts";
import { createQueryClient, reload } from "./queries.ts";
import { createMemberStorage } from "./storage.ts";

const queryClient = createQueryClient(createMemberStorage(null), {
  onDone: () => {},
  onFailed: () => {},
});
queryClient.mount();

test("the query client notifies components of each change of cached data at once, before the next tap is handled", async () => {
  const change = vi.fn<() => void>();
  const observer = new QueryObserver(queryClient, { queryKey: ["beers"], enabled: false });
  const stop = observer.subscribe(notifyManager.batchCalls(change));
  for (const beers of [1, 2]) {
    queryClient.setQueryData(["beers"], beers);
    await Promise.resolve();
    expect(change).toHaveBeenCalledTimes(beers);
  }
  stop();
});

test("reload() fetches a query again after its first load if that load was already in flight", async () => {
  const first = Promise.withResolvers<string>();
  const load = vi.fn<() => Promise<string>>().mockResolvedValue("after").mockReturnValueOnce(first.promise);
  const observer = new QueryObserver(queryClient, { queryKey: ["invitations"], queryFn: load });
  const stop = observer.subscribe(() => {});
  const reloaded = Promise.all([reload(queryClient, ["invitations"]), reload(queryClient, ["invitations"])]);
  first.resolve("before");
  await reloaded;
  expect(observer.getCurrentResult().data).toBe("after");
  expect(load).toHaveBeenCalledTimes(2);
  stop();
});

test("a query pauses while the server is unreachable, and reload() does not wait for a paused query", async () => {
  vi.useFakeTimers();
  const load = vi.fn<() => Promise<string>>().mockResolvedValue("beers");
  load.mockImplementationOnce(() => {
    reachable.set(false);
    return Promise.reject(new ApiError(0, "Keine Verbindung."));
  });
  const observer = new QueryObserver(queryClient, { queryKey: ["latest"], queryFn: load });
  const stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  await reload(queryClient, ["latest"]);
  expect(observer.getCurrentResult()).toMatchObject({ status: "pending", fetchStatus: "paused" });
  reachable.set(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(observer.getCurrentResult().data).toBe("beers");
  stop();
  vi.useRealTimers();
});

test("the text that a change returns and the error of a failed change are shown", async () => {
  const told: unknown[] = [];
  const changes = createQueryClient(createMemberStorage(null), {
    onDone: (text) => told.push(text),
    onFailed: (error) => told.push(error.message),
  });
  const run = async (mutationFn: () => Promise<unknown>, meta = {}): Promise<void> => {
    await changes
      .getMutationCache()
      .build(changes, { mutationFn, meta })
      .execute(undefined)
      .catch(() => undefined);
  };
  await run(async () => "Gespeichert.");
  await run(async () => ({ id: 1 }));
  await run(() => Promise.reject(new ApiError(422, "Zu spät.")));
  await run(() => Promise.reject(new ApiError(422, "Steht am Feld.")), { showsErrors: true });
  expect(told).toEqual(["Gespeichert.", "Zu spät."]);
});
