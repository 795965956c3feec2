import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from "@tanstack/react-query";

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
import { changeGroup as changeGroupEndpoint, getManagedGroup, type ManagedGroup } from "#contract/admin-group.ts";
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
import type { InputOf, Permission } from "#contract/endpoint.ts";
import { groupWords } from "#contract/group.ts";
import { call } from "#web/platform/api.ts";
import { queryClient } from "#web/platform/query-client.ts";
import { updateGroup } from "#web/platform/session.ts";

const keys = {
  members: ["admin", "members"],
  invitations: ["admin", "invitations"],
  gameServers: ["admin", "game-servers"],
  calendar: ["admin", "calendar"],
  tv: ["admin", "tv"],
  group: ["admin", "group"],
  audit: ["admin", "audit"],
};
/** Asked anew on every opening. */
const fresh = { staleTime: 0 };

/** A link that is told once. */
export interface OneTimeLink {
  readonly url: string;
  readonly expires_at: string;
}

async function invalidate(key: readonly string[]): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: key });
}

export function useMembers(): UseQueryResult<ManagedMember[]> {
  return useQuery({ ...fresh, queryKey: keys.members, queryFn: ({ signal }) => call(getManagedMembers, { signal }) });
}

export function reloadMembers(): Promise<void> {
  return invalidate(keys.members);
}

export async function setPermissions(id: number, permissions: Permission[]): Promise<string> {
  const { message } = await call(setPermissionsEndpoint, { params: { id }, body: { permissions } });
  await invalidate(keys.members);
  return message;
}

export async function setDisabled(id: number, disabled: boolean): Promise<string> {
  const { message } = await call(setDisabledEndpoint, { params: { id }, body: { disabled } });
  await invalidate(keys.members);
  return message;
}

export function createResetLink(id: number): Promise<OneTimeLink> {
  return call(createResetLinkEndpoint, { params: { id } });
}

type Pages<Page> = UseInfiniteQueryResult<InfiniteData<Page>>;

/** The newest first; the next page begins before the last one's last id. */
export function useInvitations(): Pages<{ invitations: Invitation[]; has_more: boolean }> {
  return useInfiniteQuery({
    ...fresh,
    queryKey: keys.invitations,
    initialPageParam: null as number | null,
    queryFn: ({ signal, pageParam }) => call(getInvitations, { signal, ...cursorQuery(pageParam) }),
    getNextPageParam: ({ invitations, has_more }) => (has_more ? invitations.at(-1)?.id : undefined),
  });
}

export async function createInvitation(body: InputOf<typeof createInvitationEndpoint>): Promise<OneTimeLink> {
  const made = await call(createInvitationEndpoint, { body });
  await invalidate(keys.invitations);
  return made;
}

export async function revokeInvitation(id: number): Promise<string> {
  const { message } = await call(revokeInvitationEndpoint, { params: { id } });
  await invalidate(keys.invitations);
  return message;
}

export function useAudit(): Pages<{ entries: AuditEntry[]; has_more: boolean }> {
  return useInfiniteQuery({
    ...fresh,
    queryKey: keys.audit,
    initialPageParam: null as number | null,
    queryFn: ({ signal, pageParam }) => call(getAudit, { signal, ...cursorQuery(pageParam) }),
    getNextPageParam: ({ entries, has_more }) => (has_more ? entries.at(-1)?.id : undefined),
  });
}

function cursorQuery(id: number | null): { query?: Record<string, string> } {
  return id === null ? {} : { query: { before: String(id) } };
}

export function useGameServers(): UseQueryResult<ManagedGameServer[]> {
  return useQuery({
    ...fresh,
    queryKey: keys.gameServers,
    queryFn: ({ signal }) => call(getManagedGameServers, { signal }),
  });
}

export async function addGameServer(body: InputOf<typeof addGameServerEndpoint>): Promise<string> {
  const { message } = await call(addGameServerEndpoint, { body });
  await invalidate(keys.gameServers);
  return message;
}

export async function changeGameServer(id: number, body: InputOf<typeof changeGameServerEndpoint>): Promise<string> {
  const { message } = await call(changeGameServerEndpoint, { params: { id }, body });
  await invalidate(keys.gameServers);
  return message;
}

export async function orderGameServers(ids: number[]): Promise<void> {
  await call(orderGameServersEndpoint, { body: { ids } });
  await invalidate(keys.gameServers);
}

export async function removeGameServer(id: number): Promise<string> {
  const { message } = await call(removeGameServerEndpoint, { params: { id } });
  await invalidate(keys.gameServers);
  return message;
}

export function testGameServer(id: number): Promise<{ ok: boolean; message: string }> {
  return call(testGameServerEndpoint, { params: { id } });
}

/** Null: the year whose doors open next. */
export function useCalendar(year: number | null): UseQueryResult<ManagedCalendar> {
  return useQuery({
    ...fresh,
    queryKey: [...keys.calendar, year],
    queryFn: ({ signal }) =>
      call(getManagedCalendar, { signal, ...(year === null ? {} : { query: { year: String(year) } }) }),
    // The doors of the year before stay until the others are there.
    placeholderData: (previous) => previous,
  });
}

export function reloadCalendar(): Promise<void> {
  return invalidate(keys.calendar);
}

/** Hangs one picture; the calendar is loaded anew by whoever hangs several. */
export async function setPicture(date: string, file: File): Promise<void> {
  const body = new FormData();
  body.set("picture", file, file.name);
  await call(setPictureEndpoint, { params: { date }, body });
}

export async function movePicture(date: string, to: string): Promise<string> {
  const { message } = await call(movePictureEndpoint, { params: { date }, body: { to } });
  await reloadCalendar();
  return message;
}

export async function removePicture(date: string): Promise<string> {
  const { message } = await call(removePictureEndpoint, { params: { date } });
  await reloadCalendar();
  return message;
}

export async function changeMusic(file: File | null): Promise<string> {
  const body = new FormData();
  if (file !== null) body.set("audio", file, file.name);
  const { message } = file === null ? await call(deleteCalendarAudio) : await call(setCalendarAudio, { body });
  await reloadCalendar();
  return message;
}

export function useTvLinks(): UseQueryResult<TvLink[]> {
  return useQuery({ ...fresh, queryKey: keys.tv, queryFn: ({ signal }) => call(getTvLinks, { signal }) });
}

export async function createTvLink(name: string): Promise<{ url: string }> {
  const made = await call(createTvLinkEndpoint, { body: { name } });
  await invalidate(keys.tv);
  return made;
}

export async function revokeTvLink(id: number): Promise<string> {
  const { message } = await call(revokeTvLinkEndpoint, { params: { id } });
  await invalidate(keys.tv);
  return message;
}

export function useManagedGroup(): UseQueryResult<ManagedGroup> {
  return useQuery({ ...fresh, queryKey: keys.group, queryFn: ({ signal }) => call(getManagedGroup, { signal }) });
}

export async function changeGroup(body: InputOf<typeof changeGroupEndpoint>): Promise<string> {
  const { message } = await call(changeGroupEndpoint, { body });
  updateGroup(groupWords.parse(body));
  await invalidate(keys.group);
  return message;
}
