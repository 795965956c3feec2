import type { ManagedCalendar } from "#contract/calendar-doors.ts";
import type { Client, ClientResponse } from "./client.ts";
import { multipartForm, sendForm } from "./upload.ts";

const adminCalendar = "/api/admin/calendar";

/** Returns a calendar door as this administrator sees it. */
export async function findManagedDay(admin: Client, date: string): Promise<ManagedCalendar["days"][number]> {
  const { days } = (await admin.get(`${adminCalendar}?year=${date.slice(0, 4)}`)).json as ManagedCalendar;
  return days.find((day) => day.date === date)!;
}

/**
 * Uploads a picture for a calendar door as the page does: the request names the door's version and
 * the id of the member whose door it takes over.
 */
export async function hangPicture(
  admin: Client,
  date: string,
  file: Buffer,
  takesOver?: number,
): Promise<ClientResponse> {
  const { version } = await findManagedDay(admin, date);
  const query = new URLSearchParams({ version, ...(takesOver !== undefined && { takes_over: String(takesOver) }) });
  return sendForm(
    admin,
    multipartForm(file, { field: "picture" }),
    {},
    `${adminCalendar}/pictures/${date}?${query.toString()}`,
  );
}

export async function takePictureDown(admin: Client, date: string): Promise<ClientResponse> {
  return admin.delete(`${adminCalendar}/pictures/${date}?version=${(await findManagedDay(admin, date)).version}`);
}

export async function takeDoorBack(admin: Client, date: string): Promise<ClientResponse> {
  return admin.delete(`${adminCalendar}/doors/${date}?version=${(await findManagedDay(admin, date)).version}`);
}

export async function movePicture(admin: Client, date: string, to: string): Promise<ClientResponse> {
  const [version, to_version] = await Promise.all(
    [date, to].map(async (day) => (await findManagedDay(admin, day)).version),
  );
  return admin.post(`${adminCalendar}/pictures/${date}/move`, { to, version, to_version });
}

/** Lets an administrator see who drew which door. */
export async function showDoorOwners(admin: Client): Promise<void> {
  await admin.post("/api/admin/calendar/surprise", { is_surprised: false });
}
