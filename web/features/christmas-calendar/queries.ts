import type { UseQueryResult } from "@tanstack/react-query";

import {
  emptyOwnDoor,
  fillOwnDoor,
  getOpenedImages,
  openDoor,
  type OpenedImages,
} from "#contract/christmas-calendar.ts";
import { call } from "#web/platform/api.ts";
import { queryClient, reload, useReply } from "#web/platform/query-client.ts";

/** The doors of the calendar that is on now (`year` null) or of a past one. */
export function useDoors(year: number | null): UseQueryResult<OpenedImages> {
  const request = year === null ? {} : { query: { year: String(year) } };
  return useReply(getOpenedImages, { queryKey: doorsKey(year), request });
}

/** Opens the door of a day and keeps what is behind it with the doors of `year`. */
export async function openDoorOf(date: string, year: number | null): Promise<void> {
  const opened = await call(openDoor, { params: { date } });
  const queryKey = doorsKey(year);
  queryClient.setQueryData<OpenedImages>(
    queryKey,
    (doors) => doors && { ...doors, images: doors.images.map((image) => (image.date === date ? opened : image)) },
  );
  // An answer that is on its way may be from before.
  if (queryClient.isFetching({ queryKey }) > 0) void reload(queryKey);
}

/** Puts a picture behind one's own door, or with null takes it down. */
export async function changeOwnDoor(date: string, picture: Blob | null): Promise<string> {
  const body = new FormData();
  if (picture !== null) body.set("picture", picture);
  const params = { date };
  const { message } = await (picture === null ? call(emptyOwnDoor, { params }) : call(fillOwnDoor, { params, body }));
  await reload(doorsKey(null));
  return message;
}

function doorsKey(year: number | null): readonly unknown[] {
  return ["christmas-calendar", year];
}
