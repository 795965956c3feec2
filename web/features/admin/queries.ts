import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";

import { getAudit, type AuditEntry } from "#contract/admin-audit.ts";
import * as calendar from "#contract/admin-calendar.ts";
import { getManagedGameServers, type ManagedGameServer } from "#contract/admin-game-servers.ts";
import { getManagedGroup, type ManagedGroup } from "#contract/admin-group.ts";
import {
  checkImport,
  getImportMembers,
  importBeers,
  type ImportChoices,
  type ImportReport,
} from "#contract/admin-import.ts";
import { getInvitations, type Invitation } from "#contract/admin-invitations.ts";
import { getManagedMembers, type ManagedMember } from "#contract/admin-members.ts";
import { getTvLinks, type TvLink } from "#contract/admin-tv.ts";
import {
  type CalendarDealings,
  type DealingPreview,
  getCalendarDealings,
  previewDealing,
} from "#contract/calendar-lottery.ts";
import { getMemberBeers } from "#contract/corrections.ts";
import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { call, type CallOptions } from "#web/platform/api.ts";
import { reload, useReply } from "#web/platform/query-client.ts";
import { usePages } from "#web/platform/use-pages.ts";
import type { CalendarDay } from "./rules.ts";

/** A link that is shown once. */
export interface OneTimeLink {
  readonly url: string;
  readonly expires_at: string;
}

const adminKey = ["admin"];
const calendarKey = [...adminKey, "calendar"];

/** Changes something, loads again what the admin area shows, and resolves to the server's answer. */
export async function request<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<ReplyOf<E>> {
  const reply = await call(endpoint, options);
  await reloadAdmin();
  return reply;
}

/** The same, for answers that are a message for the screen. */
export async function change<E extends Endpoint>(
  endpoint: ReplyOf<E> extends { readonly message: string } ? E : never,
  options: CallOptions<E>,
): Promise<string> {
  const { message } = (await request(endpoint as E, options)) as { readonly message: string };
  return message;
}

/** Loads again what the admin area shows. */
export function reloadAdmin(): Promise<unknown> {
  return reload(adminKey);
}

export function useMembers(): UseQueryResult<ManagedMember[]> {
  return useReply(getManagedMembers, { queryKey: [...adminKey, "members"] });
}

/** A member's beers of the last seven days, the newest first. */
export function useMemberBeers(id: number): UseQueryResult<ReplyOf<typeof getMemberBeers>> {
  return useReply(getMemberBeers, { queryKey: [...adminKey, "beers", id], request: { params: { id } } });
}

export function useInvitations(): UseInfiniteQueryResult<Invitation[]> {
  const queryKey = [...adminKey, "invitations"];
  return usePages(queryKey, getInvitations, ({ invitations, has_more }) => ({ entries: invitations, has_more }));
}

export function useAudit(): UseInfiniteQueryResult<AuditEntry[]> {
  return usePages([...adminKey, "audit"], getAudit, (page) => page);
}

export function useGameServers(): UseQueryResult<ManagedGameServer[]> {
  return useReply(getManagedGameServers, { queryKey: [...adminKey, "game-servers"] });
}

/** Changes a door and loads the calendar again, also after a refusal: the page may have been stale. */
export async function changeDoor<E extends Endpoint>(
  endpoint: ReplyOf<E> extends { readonly message: string } ? E : never,
  options: CallOptions<E>,
): Promise<string> {
  try {
    return await change(endpoint, options);
  } catch (error) {
    await reloadCalendar();
    throw error;
  }
}

/** Shows this administrator a member's picture before its day. */
export async function revealPicture({ date, version }: CalendarDay): Promise<void> {
  const revealed = call(calendar.revealCalendarPicture, { params: { date }, body: { version } });
  await revealed.finally(() => void reloadAdmin());
}

export function reloadCalendar(): Promise<unknown> {
  return reload(calendarKey);
}

/** Null: the year whose doors open next. */
export function useCalendar(year: number | null): UseQueryResult<calendar.ManagedCalendar> {
  return useReply(calendar.getManagedCalendar, {
    queryKey: [...calendarKey, year],
    request: year === null ? {} : { query: { year: String(year) } },
    // The doors of the year before stay until the others are there.
    placeholderData: (previous) => previous,
  });
}

/** The dealings of a year and the members without a door; `undefined` waits until the year is known. */
export function useDealings(year: number | undefined): UseQueryResult<CalendarDealings> {
  return useReply(getCalendarDealings, {
    queryKey: [...adminKey, "dealings", year],
    request: { query: { year: String(year) } },
    enabled: year !== undefined,
    placeholderData: (previous) => previous,
  });
}

/** The preview of dealing a year again. It is kept as shown until it is applied or refused. */
export function useDealingPreview(year: number): UseQueryResult<DealingPreview> {
  return useReply(previewDealing, {
    queryKey: ["dealing preview", year],
    request: { body: { year } },
    gcTime: 0,
  });
}

/** Sets one picture without loading the calendar again, since several are set one after the other. */
export async function setPicture({ date, version }: CalendarDay, file: File, takesOver: number | null): Promise<void> {
  const body = new FormData();
  body.set("picture", file, file.name);
  const query = { version, ...(takesOver !== null && { takes_over: String(takesOver) }) };
  await call(calendar.setCalendarPicture, { params: { date }, query, body });
}

/** Null: the music that comes with the product. */
export function changeMusic(file: File | null): Promise<string> {
  if (file === null) return change(calendar.deleteCalendarAudio, {});
  const body = new FormData();
  body.set("audio", file, file.name);
  return change(calendar.setCalendarAudio, { body });
}

export function useTvLinks(): UseQueryResult<TvLink[]> {
  return useReply(getTvLinks, { queryKey: [...adminKey, "tv"] });
}

export function useManagedGroup(): UseQueryResult<ManagedGroup> {
  return useReply(getManagedGroup, { queryKey: [...adminKey, "group"] });
}

export function useImportMembers(): UseQueryResult<ReplyOf<typeof getImportMembers>> {
  return useReply(getImportMembers, { queryKey: [...adminKey, "import-members"] });
}

export function checkImportFile(file: File, choices: ImportChoices): Promise<ImportReport> {
  return call(checkImport, { body: toImportForm(file, choices) });
}

export function importFile(file: File, choices: ImportChoices): Promise<ImportReport> {
  return request(importBeers, { body: toImportForm(file, choices) });
}

function toImportForm(file: File, choices: ImportChoices): FormData {
  const body = new FormData();
  body.set("choices", JSON.stringify(choices));
  body.set("file", file, file.name);
  return body;
}
