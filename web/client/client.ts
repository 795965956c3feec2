import type { QueryClient, QueryKey } from "@tanstack/react-query";

import { checkLoginStatus, getCsrfCookie } from "#contract/auth.ts";
import { getGroupConfig, type GroupConfig } from "#contract/group-config.ts";
import { groupChanged } from "#contract/group-events.ts";
import { memberChanged, type User } from "#contract/members.ts";
import { call, reachable, sessionTimeoutMs } from "./api.ts";
import type { OutboxStorage } from "./outbox-storage.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createQueryClient, createReloader, type ChangeListener } from "./queries.ts";
import { createRealtime, type Realtime } from "./realtime.ts";
import {
  clearMemberStorage,
  createMemberStorage,
  onMemberItemChange,
  readMemberItem,
  storedMember,
  writeDeviceItem,
} from "./storage.ts";
import type { MemberStorage } from "./storage.ts";
import { createStore, type Store } from "./store.ts";

export interface ClientOptions extends ChangeListener {
  readonly member: User | null;
  readonly group: GroupConfig;
  readonly isOffline: boolean;
  /** Keeps entries that the browser refuses to store, until the member logs in again. */
  readonly outboxStorage: OutboxStorage;
  /** Called with `null` after the session has ended, otherwise with another member. */
  onMemberGone(member: User | null): void;
}

/** Everything that a page knows and does for one member or guest, from login to logout. */
export interface Client {
  readonly member: Store<User | null>;
  readonly group: Store<GroupConfig>;
  /** While the server does not answer, `member` is the one last known in this browser. */
  readonly isOffline: Pick<Store<boolean>, "get" | "subscribe">;
  readonly queries: QueryClient;
  /** Refetches at most every half a second. */
  reloadSoon(...keys: QueryKey[]): void;
  readonly realtime: Realtime;
  readonly outbox: Outbox;
  readonly storage: MemberStorage;
  checkSession(): Promise<void>;
  reloadGroup(): Promise<void>;
  start(): void;
  /** Called once the listeners of all pages are there, which would miss events. */
  connect(): void;
  dispose(): void;
}

export const groupKey = "stammtisch.group";

export function createClient({
  member: user,
  group: settings,
  isOffline: wasOffline,
  outboxStorage,
  ...options
}: ClientOptions): Client {
  const member = createStore(user);
  const group = createStore(settings);
  const isOffline = createStore(wasOffline);
  if (user === null || readMemberItem("user", storedMember)?.id !== user.id) clearMemberStorage();
  const disposing = new AbortController();
  const storage = createMemberStorage(user);
  const queries = createQueryClient(storage, options);
  const realtime = createRealtime();
  const outbox = createOutbox({ memberId: user?.id ?? 0, storage: outboxStorage });
  /** Number of requests for the login status, and the newest one that was answered. */
  let asked = 0;
  let answered = 0;
  let probe: ReturnType<typeof setTimeout> | undefined;
  let pause = 2000;

  member.subscribe(() => storage.set("user", member.get()));
  writeDeviceItem(groupKey, JSON.stringify(settings));
  group.subscribe(() => writeDeviceItem(groupKey, JSON.stringify(group.get())));

  async function checkSession(): Promise<void> {
    asked += 1;
    const request = asked;
    try {
      const reply = await call(checkLoginStatus, {
        signal: AbortSignal.any([disposing.signal, AbortSignal.timeout(sessionTimeoutMs)]),
      });
      // Also accepts answers to earlier requests, because the last one may hang on a weak mobile signal.
      if (request < answered || disposing.signal.aborted) return;
      answered = request;
      clearTimeout(probe);
      pause = 2000;
      isOffline.set(false);
      if (reply.user?.id !== user?.id) options.onMemberGone(reply.user);
      else if (reply.user) member.set(reply.user);
    } catch {
      if (request > answered && !disposing.signal.aborted) probeLater();
    }
  }

  function probeLater(): void {
    isOffline.set(true);
    clearTimeout(probe);
    probe = setTimeout(() => void checkSession(), pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, 30_000);
  }

  async function reloadGroup(): Promise<void> {
    try {
      // Keeps the `realtime` object, because the connection was opened with it.
      const { realtime: _, ...changes } = await call(getGroupConfig, { signal: disposing.signal });
      group.set({ ...group.get(), ...changes });
    } catch {
      // The next reconnection reloads the settings.
    }
  }

  function watchReachability(): void {
    if (!reachable.get() && !isOffline.get()) probeLater();
    else if (reachable.get() && isOffline.get()) {
      void checkSession();
      void reloadGroup();
    }
    if (reachable.get()) outbox.sendAll();
  }

  let isConnected = false;
  function connect(): void {
    if (isConnected || disposing.signal.aborted) return;
    isConnected = true;
    outbox.start();
    /** The version at the last connection. */
    let known: number | null | undefined;
    realtime.subscribe(memberChanged, {
      onEvent: () => void checkSession(),
      // While the page was disconnected, the member and the group's settings may have changed.
      onSubscribed(version) {
        const isCurrent = version !== null && version === known;
        if (known !== undefined && !isCurrent) {
          void checkSession();
          void reloadGroup();
        }
        known = version;
      },
    });
    realtime.subscribe(groupChanged, { onEvent: () => void reloadGroup(), onSubscribed() {} });
    realtime.connect(settings.realtime, {
      renewToken: () => call(getCsrfCookie),
      onAccessChanged: () => void checkSession(),
    });
  }

  return {
    member,
    group,
    isOffline,
    queries,
    reloadSoon: createReloader(queries),
    realtime,
    outbox,
    storage,
    checkSession,
    reloadGroup,
    start() {
      const { signal } = disposing;
      queries.mount();
      // Another tab has logged out, or logged in as another member.
      const isSame = (): boolean => readMemberItem("user", storedMember)?.id === user?.id;
      onMemberItemChange("user", () => isSame() || void checkSession(), signal);
      addEventListener("offline", () => reachable.set(false), { signal });
      addEventListener("online", () => void checkSession(), { signal });
      document.addEventListener(
        "visibilitychange",
        () => document.visibilityState === "visible" && isOffline.get() && void checkSession(),
        { signal },
      );
      signal.addEventListener("abort", reachable.subscribe(watchReachability));
      if (wasOffline) probeLater();
    },
    connect,
    dispose() {
      disposing.abort();
      clearTimeout(probe);
      realtime.disconnect();
      outbox.dispose();
      queries.unmount();
      queries.clear();
    },
  };
}
