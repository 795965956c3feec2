import { startTransition, useEffect, useState } from "react";

import { checkLoginStatus, getCsrfCookie, login as loginEndpoint, logout as logoutEndpoint } from "#contract/auth.ts";
import type { InputOf, Permission } from "#contract/endpoint.ts";
import { getGroupConfig, groupConfig, type GroupConfig } from "#contract/group.ts";
import { user as userSchema, type User } from "#contract/members.ts";
import { call, onRefusedAccess } from "./api.ts";
import { readDeviceJson, writeDeviceItem } from "./device-storage.ts";
import { navigate } from "./location.ts";
import { onReachabilityChange, reportReachability } from "./reachability.ts";
import { createStore, useStore } from "./store.ts";
import { clearUserStorage, getStoredMemberId, getUserItem, onUserItemChange, setUserItem } from "./user-storage.ts";

export interface Session {
  /** Who is logged in; null for a visitor. */
  user: User | null;
  /** The server could not be asked: `user` is the member last known on this device. */
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
  // While nobody can say whether mails are sent, the form that asks for one does no harm.
  mail: true,
  realtime: { key: "stammtisch", cluster: "eu", wsHost: null, wsPort: null, wssPort: null, forceTLS: false },
});

/** How long the start waits for an answer where the device knows who it belongs to, in milliseconds. */
const startTimeout = 5000;

/** What must be known before the first screen: the CSRF cookie, then the login status, which it returns. Never throws. */
export async function startSession(): Promise<User | null> {
  // Where there is hardly any network a request may hang for minutes; a visitor has nothing to see without it anyway.
  const options = getUserItem("user", userSchema) === null ? {} : { signal: AbortSignal.timeout(startTimeout) };
  const config = loadGroup(options);
  try {
    await call(getCsrfCookie, options);
  } catch {
    // Without the cookie the first form sent repairs itself; the status below decides what to show.
  }
  await checkSession(options);
  await config;
  watchSession();
  return session.get().user;
}

/** The number of the newest request for the login status. */
let newestRequest = 0;
/** Answers to requests up to this number are out of date. */
let newestAnswered = 0;

/** Asks the server who is logged in; a network failure is no logout. */
export async function checkSession(options: { signal?: AbortSignal } = {}): Promise<void> {
  newestRequest += 1;
  const request = newestRequest;
  try {
    const { user } = await call(checkLoginStatus, options);
    // Not only the newest request counts: it may hang.
    if (request > newestAnswered && !isLoggingOut) setMember(user, request);
  } catch {
    if (request > newestAnswered) setOffline(session.get().user ?? getUserItem("user", userSchema));
  }
}

/**
 * Logs in or throws ApiError. `arrive` runs in the same update as the change of member, so that no guard sees one
 * without the other.
 */
export async function login(credentials: InputOf<typeof loginEndpoint>, arrive: () => void): Promise<void> {
  const { user } = await call(loginEndpoint, { body: credentials });
  becomeMember(user, arrive);
}

/** The page becomes that of a member who has just logged in. */
export function becomeMember(user: User, arrive: () => void): void {
  forgetMember();
  startTransition(() => {
    setMember(user);
    arrive();
  });
}

const memberChangeListeners = new Set<() => void>();

/** Calls `forget` whenever what the pages know from the server is no longer the member's. */
export function onMemberChange(forget: () => void): void {
  memberChangeListeners.add(forget);
}

/** The member changes: nothing that was loaded for the one before stays. */
export function forgetMember(): void {
  for (const forget of memberChangeListeners) forget();
}

/** What a part of the app does when the user logs out. */
export interface LogoutHook {
  /** Runs before the logout; false cancels it. */
  confirm(): Promise<boolean>;
  /** Deletes personal data from the browser, once the session has ended. */
  clear(): Promise<void>;
}

const logoutHooks = new Set<LogoutHook>();

/** Registers a hook for every logout. Returns a function that removes it. */
export function addLogoutHook(hook: LogoutHook): () => void {
  logoutHooks.add(hook);
  return () => void logoutHooks.delete(hook);
}

/** Logs out and leads home; false when a hook cancelled it. Throws ApiError when the server could not be reached. */
export async function logout(): Promise<boolean> {
  for (const hook of logoutHooks) if (!(await hook.confirm())) return false;
  await endSession(() => call(logoutEndpoint));
  return true;
}

/** During a logout the closed socket must not make the route guard lead to the login instead of home. */
let isLoggingOut = false;
/** A logout takes at most this long, in milliseconds, including fading out music. */
const logoutDuration = 2000;

/** Ends the session on the server by `end`, then leads home as a guest; throws what `end` throws. */
export async function endSession<Reply>(end: () => Promise<Reply>): Promise<Reply> {
  isLoggingOut = true;
  try {
    const reply = await end();
    for (const hook of logoutHooks) await hook.clear();
    navigate("/", { update: () => setMember(null) });
    // The next login needs the token of a fresh session; the form would repair itself without it.
    await call(getCsrfCookie).catch(() => undefined);
    return reply;
  } finally {
    setTimeout(() => (isLoggingOut = false), logoutDuration);
  }
}

/** The logged-in member as the server answered after a change, e.g. of the name. */
export function replaceMember(user: User): void {
  if (session.get().user !== null) setMember(user);
}

/** Changes a part of what is known of the logged-in member, e.g. the picture. */
export function updateMember(changes: Partial<User>): void {
  const { user } = session.get();
  if (user !== null) setMember({ ...user, ...changes });
}

/** Who is logged in, and whether that is only what this device remembers. Changes arrive as transitions. */
export function useSession(): Session {
  const [value, setValue] = useState(session.get);
  useEffect(() => {
    const follow = (): void => startTransition(() => setValue(session.get()));
    follow();
    return session.subscribe(follow);
  }, []);
  return value;
}

/** Whether the logged-in member holds this permission. */
export function usePermission(permission: Permission): boolean {
  return useSession().user?.permissions.includes(permission) ?? false;
}

/** The installation's own name, abbreviation, legal links and addresses. */
export function useGroup(): GroupConfig {
  return useStore(group);
}

/** Changes the group settings on this page, after they were changed in the admin area. */
export function updateGroup(changes: Partial<GroupConfig>): void {
  group.set({ ...group.get(), ...changes });
}

/** The number of the newest request for the group settings; an answer to an earlier one may be out of date. */
let newestGroupRequest = 0;

/** Reads the group settings again, after they may have changed on the server. Never throws. */
export async function reloadGroup(): Promise<void> {
  newestGroupRequest += 1;
  const request = newestGroupRequest;
  try {
    // Not the address of the socket: another object with it would open another socket.
    const { realtime: _, ...settings } = await call(getGroupConfig);
    if (request !== newestGroupRequest) return;
    updateGroup(settings);
    writeDeviceItem(groupKey, JSON.stringify(group.get()));
  } catch {
    // The next reconnection reads them again.
  }
}

/** `request`: the one that this answers. A login, or a change of the member, puts all that were sent before out of date. */
function setMember(user: User | null, request = newestRequest): void {
  const before = session.get().user;
  newestAnswered = request;
  setOnline();
  if (user === null) clearUserStorage();
  else setUserItem("user", user);
  // Somebody else logged in within this browser: nothing on this page is theirs.
  if (before !== null && user !== null && before.id !== user.id) return location.reload();
  startTransition(() => session.set({ user, isOffline: false }));
}

const groupKey = "stammtisch.group";

/** The settings stand in the page, unless it comes from this device. */
async function loadGroup(options: { signal?: AbortSignal }): Promise<void> {
  const written = document.querySelector<HTMLMetaElement>("meta[name='group']")?.content;
  try {
    group.set(written === undefined ? await call(getGroupConfig, options) : groupConfig.parse(JSON.parse(written)));
    writeDeviceItem(groupKey, JSON.stringify(group.get()));
  } catch {
    const kept = readDeviceJson(groupKey, groupConfig);
    if (kept !== null) group.set(kept);
  }
}

function watchSession(): void {
  onRefusedAccess(() => void checkSession());
  // Another tab logged out, or somebody else logged in there.
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

/** The server could not be asked: stay with this member, and ask again with growing pauses. */
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
