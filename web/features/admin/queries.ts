import { useInfiniteQuery, type UseInfiniteQueryResult, type UseQueryResult } from "@tanstack/react-query";

import { getAudit, type AuditEntry } from "#contract/admin-audit.ts";
import {
  getManagedCalendar,
  setCalendarPicture as setPictureEndpoint,
  moveCalendarPicture as movePictureEndpoint,
  deleteCalendarAudio,
  deleteCalendarPicture as removePictureEndpoint,
  setCalendarAudio,
  type ManagedCalendar,
} from "#contract/admin-calendar.ts";
import {
  addGameServer as addGameServerEndpoint,
  changeGameServer as changeGameServerEndpoint,
  getManagedGameServers,
  orderGameServers as orderGameServersEndpoint,
  removeGameServer as removeGameServerEndpoint,
  testGameServer as testGameServerEndpoint,
  type ManagedGameServer,
} from "#contract/admin-game-servers.ts";
import {
  changeGroup as changeGroupEndpoint,
  getManagedGroup,
  type ManagedGroup,
  groupWords,
} from "#contract/admin-group.ts";
import {
  getInvitations,
  makeInvitation as createInvitationEndpoint,
  revokeInvitation as revokeInvitationEndpoint,
  type Invitation,
} from "#contract/admin-invitations.ts";
import {
  getManagedMembers,
  makeResetLink as createResetLinkEndpoint,
  setDisabled as setDisabledEndpoint,
  setPermissions as setPermissionsEndpoint,
  type ManagedMember,
} from "#contract/admin-members.ts";
import {
  getTvLinks,
  makeTvLink as createTvLinkEndpoint,
  revokeTvLink as revokeTvLinkEndpoint,
  type TvLink,
} from "#contract/admin-tv.ts";
import {
  correctName as correctNameEndpoint,
  getMemberBeers,
  removePicture as removeMemberPictureEndpoint,
  takeBackBeers as takeBackBeersEndpoint,
} from "#contract/corrections.ts";
import type { Endpoint, InputOf, Permission, ReplyOf } from "#contract/endpoint.ts";
import { call, type CallOptions } from "#web/platform/api.ts";
import { queryClient, useQuery } from "#web/platform/query-client.ts";
import { updateGroup } from "#web/platform/session.ts";

/** A part of the admin area; what is known of it is kept under its name. */
type Area = "members" | "invitations" | "game-servers" | "calendar" | "tv" | "group" | "audit";

/** A link that is shown once. */
export interface OneTimeLink {
  readonly url: string;
  readonly expires_at: string;
}

/** What an area has, loaded anew on every opening. */
function useArea<E extends Endpoint>(area: Area, endpoint: E): UseQueryResult<ReplyOf<E>> {
  return useQuery({ queryKey: ["admin", area], staleTime: 0, queryFn: ({ signal }) => call(endpoint, { signal }) });
}

/** The newest entries of an area and, page by page, older ones; a page begins before the last id of the one before. */
function usePages<E extends Endpoint, Entry extends { readonly id: number }>(
  area: Area,
  endpoint: E,
  readPage: (reply: ReplyOf<E>) => { readonly entries: readonly Entry[]; readonly has_more: boolean },
): UseInfiniteQueryResult<Entry[]> {
  return useInfiniteQuery(
    {
      queryKey: ["admin", area],
      staleTime: 0,
      initialPageParam: null as number | null,
      queryFn: async ({ signal, pageParam: before }) =>
        readPage(await call(endpoint, { signal, ...(before !== null && { query: { before: String(before) } }) })),
      getNextPageParam: ({ entries, has_more }) => (has_more ? entries.at(-1)?.id : undefined),
      select: ({ pages }) => pages.flatMap(({ entries }) => entries),
    },
    queryClient,
  );
}

async function reload(area: Area): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ["admin", area] });
}

/** Changes something, and loads its area again. */
async function change<E extends Endpoint>(area: Area, endpoint: E, options: CallOptions<E>): Promise<ReplyOf<E>> {
  const reply = await call(endpoint, options);
  await reload(area);
  return reply;
}

/** The same for what the server answers with a message for the screen. */
async function changeWithMessage<E extends Endpoint>(
  area: Area,
  endpoint: ReplyOf<E> extends { readonly message: string } ? E : never,
  options: CallOptions<E>,
): Promise<string> {
  const { message } = (await change(area, endpoint as E, options)) as { readonly message: string };
  return message;
}

export function useMembers(): UseQueryResult<ManagedMember[]> {
  return useArea("members", getManagedMembers);
}

export function reloadMembers(): Promise<void> {
  return reload("members");
}

export function correctName(id: number, name: string): Promise<string> {
  return changeWithMessage("members", correctNameEndpoint, { params: { id }, body: { name } });
}

export function removeMemberPicture(id: number): Promise<string> {
  return changeWithMessage("members", removeMemberPictureEndpoint, { params: { id } });
}

/** A member's beers of the last seven days, the newest first. */
export function useMemberBeers(id: number): UseQueryResult<ReplyOf<typeof getMemberBeers>> {
  return useQuery({
    queryKey: ["admin", "beers", id],
    staleTime: 0,
    queryFn: ({ signal }) => call(getMemberBeers, { params: { id }, signal }),
  });
}

export function takeBackBeers(id: number, ids: number[]): Promise<string> {
  return changeWithMessage("members", takeBackBeersEndpoint, { params: { id }, body: { ids } });
}

export function setPermissions(id: number, permissions: Permission[]): Promise<string> {
  return changeWithMessage("members", setPermissionsEndpoint, { params: { id }, body: { permissions } });
}

export function setDisabled(id: number, disabled: boolean): Promise<string> {
  return changeWithMessage("members", setDisabledEndpoint, { params: { id }, body: { disabled } });
}

export function createResetLink(id: number): Promise<OneTimeLink> {
  return call(createResetLinkEndpoint, { params: { id } });
}

export function useInvitations(): UseInfiniteQueryResult<Invitation[]> {
  return usePages("invitations", getInvitations, ({ invitations, has_more }) => ({ entries: invitations, has_more }));
}

export function createInvitation(body: InputOf<typeof createInvitationEndpoint>): Promise<OneTimeLink> {
  return change("invitations", createInvitationEndpoint, { body });
}

export function revokeInvitation(id: number): Promise<string> {
  return changeWithMessage("invitations", revokeInvitationEndpoint, { params: { id } });
}

export function useAudit(): UseInfiniteQueryResult<AuditEntry[]> {
  return usePages("audit", getAudit, (page) => page);
}

export function useGameServers(): UseQueryResult<ManagedGameServer[]> {
  return useArea("game-servers", getManagedGameServers);
}

export function addGameServer(body: InputOf<typeof addGameServerEndpoint>): Promise<string> {
  return changeWithMessage("game-servers", addGameServerEndpoint, { body });
}

export function changeGameServer(id: number, body: InputOf<typeof changeGameServerEndpoint>): Promise<string> {
  return changeWithMessage("game-servers", changeGameServerEndpoint, { params: { id }, body });
}

export async function orderGameServers(ids: number[]): Promise<void> {
  await change("game-servers", orderGameServersEndpoint, { body: { ids } });
}

export function removeGameServer(id: number): Promise<string> {
  return changeWithMessage("game-servers", removeGameServerEndpoint, { params: { id } });
}

export function testGameServer(id: number): Promise<{ ok: boolean; message: string }> {
  return call(testGameServerEndpoint, { params: { id } });
}

/** Null: the year whose doors open next. */
export function useCalendar(year: number | null): UseQueryResult<ManagedCalendar> {
  return useQuery({
    queryKey: ["admin", "calendar", year],
    staleTime: 0,
    queryFn: ({ signal }) =>
      call(getManagedCalendar, { signal, ...(year !== null && { query: { year: String(year) } }) }),
    // The doors of the year before stay until the others are there.
    placeholderData: (previous) => previous,
  });
}

export function reloadCalendar(): Promise<void> {
  return reload("calendar");
}

/** Sets one picture without loading the calendar again, since several are set one after the other. */
export async function setPicture(date: string, file: File): Promise<void> {
  const body = new FormData();
  body.set("picture", file, file.name);
  await call(setPictureEndpoint, { params: { date }, body });
}

export function movePicture(date: string, to: string): Promise<string> {
  return changeWithMessage("calendar", movePictureEndpoint, { params: { date }, body: { to } });
}

export function removePicture(date: string): Promise<string> {
  return changeWithMessage("calendar", removePictureEndpoint, { params: { date } });
}

/** Null: the music that comes with the product. */
export function changeMusic(file: File | null): Promise<string> {
  if (file === null) return changeWithMessage("calendar", deleteCalendarAudio, {});
  const body = new FormData();
  body.set("audio", file, file.name);
  return changeWithMessage("calendar", setCalendarAudio, { body });
}

export function useTvLinks(): UseQueryResult<TvLink[]> {
  return useArea("tv", getTvLinks);
}

export function createTvLink(name: string): Promise<{ url: string }> {
  return change("tv", createTvLinkEndpoint, { body: { name } });
}

export function revokeTvLink(id: number): Promise<string> {
  return changeWithMessage("tv", revokeTvLinkEndpoint, { params: { id } });
}

export function useManagedGroup(): UseQueryResult<ManagedGroup> {
  return useArea("group", getManagedGroup);
}

export async function changeGroup(body: InputOf<typeof changeGroupEndpoint>): Promise<string> {
  const message = await changeWithMessage("group", changeGroupEndpoint, { body });
  updateGroup(groupWords.parse(body));
  return message;
}
