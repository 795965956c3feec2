import { useQuery, useQueryClient, type QueryKey, type UseQueryResult } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";

import { openDoorsChanged, ownDoorsChanged } from "#contract/calendar-events.ts";
import { getOwnDoors, type OwnDoors } from "#contract/calendar-lottery.ts";
import { getCalendarNotices } from "#contract/calendar-notices.ts";
import { getOpenedImages, openDoor, type OpenedImages } from "#contract/christmas-calendar.ts";
import { call } from "#web/client/api.ts";
import { keptOptions, keyOf, reload, replyOptions } from "#web/client/queries.ts";
import { whenVisible } from "#web/client/realtime.ts";
import { showMessage } from "#web/page/messages.tsx";
import { useEvent, useLiveReply, useReload } from "#web/page/queries.ts";
import { useClient } from "#web/page/session.ts";

export const calendarKey = ["christmas-calendar"];

function requestOf(year: number | null) {
  return year === null ? {} : { query: { year: String(year) } };
}

/** Takes `null` for the current calendar. */
export function useDoors(year: number | null): UseQueryResult<OpenedImages> {
  return useLiveReply(getOpenedImages, openDoorsChanged, requestOf(year));
}

/** Shares the cache entry with the counter. */
export function useOwnDoors(isEnabled = true): UseQueryResult<OwnDoors> {
  const { storage } = useClient();
  return useQuery({
    ...replyOptions(getOwnDoors),
    ...keptOptions(storage, getOwnDoors, "own-doors"),
    enabled: isEnabled,
    staleTime: 60_000,
  });
}

export function useOpenDoor(year: number | null): (date: string) => Promise<void> {
  const queries = useQueryClient();
  return async (date) => {
    const opened = await call(openDoor, { params: { date } });
    const { queryKey } = replyOptions(getOpenedImages, requestOf(year));
    queries.setQueryData(
      queryKey,
      (doors) => doors && { ...doors, images: doors.images.map((image) => (image.date === date ? opened : image)) },
    );
    // A request in flight may have the door still closed.
    if (queries.isFetching({ queryKey }) > 0) void reload(queries, queryKey);
    void reload(queries, keyOf(getOwnDoors));
  };
}

/** Resolves to the change's message. Refetches also after a refusal: the page may be stale. */
export function useDoorChange(
  key: QueryKey = calendarKey,
): (reply: Promise<{ readonly message: string }>) => Promise<string> {
  const reloadDoors = useReload(key);
  return async (reply) => {
    try {
      return (await reply).message;
    } finally {
      await reloadDoors();
    }
  };
}

/** Links to the calendar page, unless it is open. */
export function useDoorMessage(): (text: string) => void {
  const navigate = useNavigate();
  const to = "/christmas-calendar";
  return (text) =>
    showMessage({
      type: "info",
      text,
      ...(location.pathname !== to && { action: { label: "Ansehen", run: () => void navigate({ to }) } }),
    });
}

/** Runs on every page. */
export function useOwnDoorsLive(): void {
  const lastShown = useRef(0);
  const tell = useDoorMessage();
  const reloadDoors = useReload(calendarKey);
  const reloadOwnDoors = useReload(keyOf(getOwnDoors));
  async function tellNotices(): Promise<void> {
    const notices = await call(getCalendarNotices).catch(() => []);
    const newest = notices.at(-1);
    if (newest === undefined || newest.id <= lastShown.current) return;
    lastShown.current = newest.id;
    tell(newest.text);
  }
  useEvent(
    ownDoorsChanged,
    ({ message }) => {
      void reloadDoors();
      if (message === null) void tellNotices();
      else tell(message);
    },
    () =>
      whenVisible(() => {
        void reloadOwnDoors();
        void tellNotices();
      }),
  );
}
