import { notifyManager, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";

import { queryClient } from "./query-client.ts";

test("a page learns of every change before the browser handles the next tap", async () => {
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
