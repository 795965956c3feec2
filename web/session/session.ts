import { useDeferredValue } from "react";
import * as z from "zod/mini";

import { checkLoginStatus, getCsrfCookie, login as loginEndpoint } from "#contract/auth.ts";
import type { PageReader } from "#contract/built-pages.ts";
import type { InputOf, Permission } from "#contract/endpoint.ts";
import { getGroupConfig, groupConfig, type GroupConfig } from "#contract/group-config.ts";
import { user as userSchema, type User } from "#contract/members.ts";
import { call, onRefusedAccess, requestCsrfCookie } from "#web/data/api.ts";
import { readDeviceJson, writeDeviceItem } from "#web/data/device-storage.ts";
import { onReachabilityChange, reportReachability } from "#web/data/reachability.ts";
import { createStore, useStore } from "#web/data/store.ts";
import { navigate } from "#web/router/navigation.ts";
import { readGroupOfPage, readReaderOfPage } from "./page-data.ts";
import { clearUserStorage, getStoredMemberId, getUserItem, onUserItemChange, setUserItem } from "./user-storage.ts";

export interface Session {
  /** The logged-in member; `null` for a guest. */
  user: User | null;
  /** `true` if the server did not answer; `user` is then the member last known in this browser. */
  isOffline: boolean;
}

const session = createStore<Session>({ user: null, isOffline: false });
const group = createStore<GroupConfig>({
  group_name: "Stammtisch",
  group_short: "KSK",
  time_zone: "Europe/Berlin",
  legal_links: [],
  height_requested_by: "einem Mitglied",
  vapid_public_key: null,
  // `true` until the server says if it sends mail, because an unnecessary form for a reset mail
  // does no harm.
  mail: true,
  realtime: { key: "stammtisch", cluster: "eu", wsHost: null, wsPort: null, wssPort: null, forceTLS: false },
});

/**
 * Milliseconds to wait for the server at the start of the app. Guests have no such limit, because
 * nothing is stored that could be shown instead.
 */
const startTimeout = 5000;

/**
 * Determines the logged-in member and loads the group settings, from the page or else from the
 * server. Never throws.
 */
export async function startSession(): Promise<User | null> {
  requestCsrfCookie(AbortSignal.timeout(startTimeout));
  const reader = readReaderOfPage();
  const settings = readGroupOfPage();
  // The timeout is needed because requests with a weak mobile signal may hang for minutes.
  const options = getUserItem("user", userSchema) === null ? {} : { signal: AbortSignal.timeout(startTimeout) };
  // A page rendered without a login is not trusted if a member is logged in according to this
  // browser's storage: back navigation may show a page from before the login.
  const isReaderKnown = reader !== null && (reader.user !== null || getStoredMemberId() === null);
  await Promise.all([
    isReaderKnown ? applyReader(reader) : checkSession(options),
    settings === null ? loadGroup(options) : keepGroup(settings),
  ]);
  watchSession();
  return session.get().user;
}

function applyReader({ user, items }: PageReader): void {
  setMember(user);
  // Keeps counters that an earlier visit stored. Pending taps are added to these counters, whereas
  // the server's counters may already include these taps.
  for (const [name, value] of Object.entries(items)) {
    if (name !== "beercounter" || getUserItem(name, z.unknown()) === null) setUserItem(name, value);
  }
}

/** Sequence number of the last request for the login status. */
let newestRequest = 0;
/**
 * Sequence number of the newest request for the login status whose answer was applied. Answers to
 * earlier requests are stale.
 */
let newestAnswered = 0;

/** Requests the login status from the server; a network failure does not log the member out. */
export async function checkSession(options: { signal?: AbortSignal } = {}): Promise<void> {
  newestRequest += 1;
  const request = newestRequest;
  try {
    const { user } = await call(checkLoginStatus, options);
    // Also accepts answers to requests before the last one, because the last one may hang.
    if (request > newestAnswered && !isLoggingOut) setMember(user, request);
  } catch {
    if (request > newestAnswered) setOffline(session.get().user ?? getUserItem("user", userSchema));
  }
}

/**
 * Logs in; throws an ApiError if the server refuses. `arrive` runs in the same update as the change
 * of member, so that route guards see the new member and the new address together.
 */
export async function login(credentials: InputOf<typeof loginEndpoint>, arrive: () => void): Promise<void> {
  const { user } = await call(loginEndpoint, { body: credentials });
  becomeMember(user, arrive);
}

/**
 * Switches the page to a member who has just logged in; `arrive` runs in the same update, as in
 * `login()`.
 */
export function becomeMember(user: User, arrive: () => void): void {
  forgetMember();
  setMember(user);
  arrive();
}

const memberChangeListeners = new Set<() => void>();

/** Calls `forget` at every login and logout, when data of the previous member must be deleted. */
export function onMemberChange(forget: () => void): void {
  memberChangeListeners.add(forget);
}

/** Deletes all data that was loaded for the previous member. */
export function forgetMember(): void {
  for (const forget of memberChangeListeners) forget();
}

/** Callbacks that run before and after a logout. */
export interface LogoutHook {
  /** Runs before the logout; resolving to `false` cancels the logout. */
  confirm(): Promise<boolean>;
  /** Deletes personal data from the browser after the session has ended. */
  clear(): Promise<void>;
}

const logoutHooks = new Set<LogoutHook>();

/** Registers a hook that runs at every logout; returns a function that removes the hook. */
export function addLogoutHook(hook: LogoutHook): () => void {
  logoutHooks.add(hook);
  return () => void logoutHooks.delete(hook);
}

/** Runs the hooks before a logout; resolves to `false` if a hook cancelled the logout. */
export async function confirmLogout(): Promise<boolean> {
  for (const hook of logoutHooks) if (!(await hook.confirm())) return false;
  return true;
}

/**
 * `true` during a logout, in which the server closes the socket. The page must not react by
 * redirecting to the login page.
 */
let isLoggingOut = false;
/** Maximum duration of a logout in milliseconds, including fading out music. */
const logoutDuration = 2000;

/** Ends the session with `end`, then navigates home as a guest; rethrows errors of `end`. */
export async function endSession<Reply>(end: () => Promise<Reply>): Promise<Reply> {
  isLoggingOut = true;
  try {
    const reply = await end();
    for (const hook of logoutHooks) await hook.clear();
    navigate("/", { update: () => setMember(null) });
    // Fetches the CSRF token of a new session for the next login, whose first attempt would
    // otherwise be refused.
    await call(getCsrfCookie).catch(() => undefined);
    return reply;
  } finally {
    setTimeout(() => (isLoggingOut = false), logoutDuration);
  }
}

/**
 * Replaces the data of the logged-in member with the data in the server's answer to a change, e.g.
 * of the name.
 */
export function replaceMember(user: User): void {
  if (session.get().user !== null) setMember(user);
}

/** Changes some fields of the logged-in member in this page, e.g. the picture. */
export function updateMember(changes: Partial<User>): void {
  const { user } = session.get();
  if (user !== null) setMember({ ...user, ...changes });
}

/**
 * Returns the session. Changes are deferred, so that the current page remains visible until the
 * next page is ready, e.g. after a logout.
 */
export function useSession(): Session {
  return useDeferredValue(useStore(session));
}

/**
 * Returns the logged-in member without the delay of `useSession()`, which would briefly show the
 * previous value after a control has saved a new one. `user` is returned right after a logout.
 */
export function useCurrentMember(user: User): User {
  return useStore(session).user ?? user;
}

/** Returns the logged-in member for code outside of components; `null` for a guest. */
export function getUser(): User | null {
  return session.get().user;
}

/** Returns `true` if the logged-in member holds this permission. */
export function usePermission(permission: Permission): boolean {
  return useSession().user?.permissions.includes(permission) ?? false;
}

/** Returns the current group settings for code outside of components; components use `useGroup`. */
export function getGroup(): GroupConfig {
  return group.get();
}

/** Returns the group settings, e.g. the group's name, abbreviation and footer links. */
export function useGroup(): GroupConfig {
  return useStore(group);
}

/** Applies a change of the group settings to this page. */
export function updateGroup(changes: Partial<GroupConfig>): void {
  group.set({ ...group.get(), ...changes });
}

/**
 * Sequence number of the last request for the group settings; answers to earlier requests may be
 * stale.
 */
let newestGroupRequest = 0;

/** Refetches the group settings. Never throws. */
export async function reloadGroup(): Promise<void> {
  newestGroupRequest += 1;
  const request = newestGroupRequest;
  try {
    // Keeps the `realtime` object, because a new object would open another socket.
    const { realtime: _, ...settings } = await call(getGroupConfig);
    if (request !== newestGroupRequest) return;
    updateGroup(settings);
    writeDeviceItem(groupKey, JSON.stringify(group.get()));
  } catch {
    // A failure is ignored, because the next reconnection refetches the settings.
  }
}

/**
 * Sets the logged-in member from the answer to the request with this number. By default, e.g. after
 * a login, the answers to all requests so far become stale.
 */
function setMember(user: User | null, request = newestRequest): void {
  const before = session.get().user;
  newestAnswered = request;
  setOnline();
  if (user === null) clearUserStorage();
  else setUserItem("user", user);
  // Another member has logged in within this browser, and the page must not show the previous
  // member's data.
  if (before !== null && user !== null && before.id !== user.id) return location.reload();
  session.set({ user, isOffline: false });
}

const groupKey = "stammtisch.group";

/**
 * Loads the group settings from the server; if that fails, uses those last stored in this browser.
 */
async function loadGroup(options: { signal?: AbortSignal }): Promise<void> {
  try {
    keepGroup(await call(getGroupConfig, options));
  } catch {
    const kept = readDeviceJson(groupKey, groupConfig);
    if (kept !== null) group.set(kept);
  }
}

function keepGroup(settings: GroupConfig): void {
  group.set(settings);
  writeDeviceItem(groupKey, JSON.stringify(settings));
}

function watchSession(): void {
  onRefusedAccess(() => void checkSession());
  // Another tab has logged out, or logged in as another member.
  onUserItemChange("user", () => {
    if (getStoredMemberId() !== (session.get().user?.id ?? null)) void checkSession();
  });
  addEventListener("offline", () => reportReachability(false));
  addEventListener("online", () => void checkSession());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && session.get().isOffline) void checkSession();
  });
  onReachabilityChange((isReachable) => {
    const { user, isOffline } = session.get();
    if (isReachable && isOffline) {
      void checkSession();
      void reloadGroup();
    } else if (!isReachable && !isOffline) setOffline(user);
  });
}

let probe: ReturnType<typeof setTimeout> | undefined;
let pause = 2000;

/**
 * Keeps `user` as the logged-in member while the server does not answer, and retries with backoff.
 */
function setOffline(user: User | null): void {
  const current = session.get();
  if (!current.isOffline || current.user !== user) session.set({ user, isOffline: true });
  clearTimeout(probe);
  const ask = (): void => void checkSession({ signal: AbortSignal.timeout(startTimeout) });
  probe = setTimeout(ask, pause * (0.75 + Math.random() / 2));
  pause = Math.min(pause * 2, 30_000);
}

function setOnline(): void {
  clearTimeout(probe);
  pause = 2000;
}
