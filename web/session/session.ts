import { useDeferredValue } from "react";
import * as z from "zod/mini";

import { checkLoginStatus, getCsrfCookie, login as loginEndpoint, logout as logoutEndpoint } from "#contract/auth.ts";
import type { PageReader } from "#contract/built-pages.ts";
import type { InputOf, Permission } from "#contract/endpoint.ts";
import { getGroupConfig, groupConfig, type GroupConfig } from "#contract/group.ts";
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
  /** `true` if the server did not answer: `user` is then the member last known on this device. */
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
  // Assumed until the server answers: an unnecessary form for a reset mail does no harm.
  mail: true,
  realtime: { key: "stammtisch", cluster: "eu", wsHost: null, wsPort: null, wssPort: null, forceTLS: false },
});

/** Milliseconds to wait for the server at the start. Guests wait longer, since they have nothing stored to show. */
const startTimeout = 5000;

/** Finds out who is logged in and loads the group settings: from the page, otherwise from the server. Never throws. */
export async function startSession(): Promise<User | null> {
  requestCsrfCookie(AbortSignal.timeout(startTimeout));
  const reader = readReaderOfPage();
  const settings = readGroupOfPage();
  // Requests without reception may hang for minutes.
  const options = getUserItem("user", userSchema) === null ? {} : { signal: AbortSignal.timeout(startTimeout) };
  // The browser's back navigation may show a page from before the login.
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
  // Stored counters include pending taps, so they may be newer than the server's.
  for (const [name, value] of Object.entries(items)) {
    if (name !== "beercounter" || getUserItem(name, z.unknown()) === null) setUserItem(name, value);
  }
}

/** Number of the newest request for the login status. */
let newestRequest = 0;
/** Answers to requests up to this number are stale. */
let newestAnswered = 0;

/** Asks the server who is logged in; a network failure does not log out. */
export async function checkSession(options: { signal?: AbortSignal } = {}): Promise<void> {
  newestRequest += 1;
  const request = newestRequest;
  try {
    const { user } = await call(checkLoginStatus, options);
    // Accepts answers to earlier requests, too: the newest request may hang.
    if (request > newestAnswered && !isLoggingOut) setMember(user, request);
  } catch {
    if (request > newestAnswered) setOffline(session.get().user ?? getUserItem("user", userSchema));
  }
}

/** Logs in; throws ApiError. `arrive` runs in the same update as the change of member, so that guards see both at once. */
export async function login(credentials: InputOf<typeof loginEndpoint>, arrive: () => void): Promise<void> {
  const { user } = await call(loginEndpoint, { body: credentials });
  becomeMember(user, arrive);
}

/** Switches the page to a member who has just logged in; `arrive` as in `login()`. */
export function becomeMember(user: User, arrive: () => void): void {
  forgetMember();
  setMember(user);
  arrive();
}

const memberChangeListeners = new Set<() => void>();

/** Calls `forget` whenever the member changes and data of the previous member must be dropped. */
export function onMemberChange(forget: () => void): void {
  memberChangeListeners.add(forget);
}

/** Drops everything that was loaded for the previous member. */
export function forgetMember(): void {
  for (const forget of memberChangeListeners) forget();
}

/** Callbacks for a logout. */
export interface LogoutHook {
  /** Runs before the logout; `false` cancels it. */
  confirm(): Promise<boolean>;
  /** Deletes personal data from the browser after the session has ended. */
  clear(): Promise<void>;
}

const logoutHooks = new Set<LogoutHook>();

/** Registers a hook for every logout; returns a function that removes it. */
export function addLogoutHook(hook: LogoutHook): () => void {
  logoutHooks.add(hook);
  return () => void logoutHooks.delete(hook);
}

/** Logs out and navigates home; returns `false` if a hook cancelled it. Throws ApiError if the server does not answer. */
export async function logout(): Promise<boolean> {
  for (const hook of logoutHooks) if (!(await hook.confirm())) return false;
  await endSession(() => call(logoutEndpoint));
  return true;
}

/** `true` during a logout: the closing socket must not make the route guard redirect to the login page. */
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
    // Fetches the token of a fresh session for the next login; without it the form would have to retry.
    await call(getCsrfCookie).catch(() => undefined);
    return reply;
  } finally {
    setTimeout(() => (isLoggingOut = false), logoutDuration);
  }
}

/** Replaces the logged-in member with the server's answer to a change, e.g. of the name. */
export function replaceMember(user: User): void {
  if (session.get().user !== null) setMember(user);
}

/** Changes some fields of the logged-in member, e.g. the picture. */
export function updateMember(changes: Partial<User>): void {
  const { user } = session.get();
  if (user !== null) setMember({ ...user, ...changes });
}

/**
 * Returns the session. Changes are applied as transitions, so that a page is shown until the next one is ready, e.g. after a
 * logout.
 */
export function useSession(): Session {
  return useDeferredValue(useStore(session));
}

/**
 * Returns the logged-in member without the delay of `useSession()`, for controls that drop their own state once it is saved: with
 * the delay they would show the previous value for a moment. `user` is for the moment after a logout.
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

/** Returns the group's name, abbreviation, legal links and addresses. */
export function useGroup(): GroupConfig {
  return useStore(group);
}

/** Applies a change of the group settings to this page. */
export function updateGroup(changes: Partial<GroupConfig>): void {
  group.set({ ...group.get(), ...changes });
}

/** Number of the newest request for the group settings; answers to earlier ones may be stale. */
let newestGroupRequest = 0;

/** Refetches the group settings. Never throws. */
export async function reloadGroup(): Promise<void> {
  newestGroupRequest += 1;
  const request = newestGroupRequest;
  try {
    // Keeps the socket's address: a new object would open another socket.
    const { realtime: _, ...settings } = await call(getGroupConfig);
    if (request !== newestGroupRequest) return;
    updateGroup(settings);
    writeDeviceItem(groupKey, JSON.stringify(group.get()));
  } catch {
    // The next reconnection refetches them.
  }
}

/** Sets the member from the answer to `request`. A login or a changed member makes all earlier requests stale. */
function setMember(user: User | null, request = newestRequest): void {
  const before = session.get().user;
  newestAnswered = request;
  setOnline();
  if (user === null) clearUserStorage();
  else setUserItem("user", user);
  // Another member logged in within this browser: the page must not show the previous member's data.
  if (before !== null && user !== null && before.id !== user.id) return location.reload();
  session.set({ user, isOffline: false });
}

const groupKey = "stammtisch.group";

/** Loads the group settings from the server, otherwise the last ones stored on this device. */
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
  // Another tab has logged out or logged in as another member.
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

/** Keeps this member while the server does not answer, and retries with backoff. */
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
