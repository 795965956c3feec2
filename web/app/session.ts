import type { AnyRouter } from "@tanstack/react-router";

import { checkLoginStatus } from "#contract/auth.ts";
import { getGroupConfig, groupConfig, type GroupConfig } from "#contract/group-config.ts";
import { user as userSchema, type User } from "#contract/members.ts";
import { call, listenToApi, requestCsrfCookie, sessionTimeoutMs } from "#web/client/api.ts";
import { createClient, groupKey, type Client } from "#web/client/client.ts";
import { isPending } from "#web/client/outbox-rules.ts";
import { createOutboxStorage } from "#web/client/outbox-storage.ts";
import { readDeviceJson, readMemberItem } from "#web/client/storage.ts";
import { confirmChange } from "#web/features/accounts/password-confirm.tsx";
import { forgetTvToken } from "#web/features/tv/token.ts";
import { hideMessage, showFailure, showMessage } from "#web/page/messages.tsx";
import type { PageContext } from "#web/page/session.ts";
import { formatBeers } from "#web/ui/german.ts";

interface Visitor {
  readonly member: User | null;
  readonly group: GroupConfig;
  readonly isOffline: boolean;
}

const defaultGroup: GroupConfig = {
  group_name: "Stammtisch",
  group_short: "KSK",
  time_zone: "Europe/Berlin",
  legal_links: [],
  height_requested_by: "einem Mitglied",
  vapid_public_key: null,
  // An unnecessary form for a reset mail does no harm.
  mail: true,
  realtime: { key: "stammtisch", cluster: "eu", wsHost: null, wsPort: null, wssPort: null, forceTLS: false },
};

/** Gives the router a client, which changes with every login and logout. Never throws. */
export async function startSession(router: AnyRouter): Promise<void> {
  const outboxStorage = createOutboxStorage();
  let client = openClient(await findVisitor());
  let isEnding = false;
  listenToApi({ confirm: confirmChange, onAccessRefused: () => void client.checkSession() });

  function openClient(visitor: Visitor): Client {
    const opened = createClient({
      ...visitor,
      outboxStorage,
      onDone: (text) => showMessage({ type: "success", text }),
      onFailed: showFailure,
      onMemberGone: (member) => void replaceMember(member),
    });
    const context: PageContext = { client: opened, logIn, endSession };
    router.update({ ...router.options, context });
    followPermissions(router, opened);
    opened.start();
    return opened;
  }

  /** `arrive` shows the visitor's page, which the client before still needs. */
  async function change(member: User | null, arrive: () => Promise<void>): Promise<void> {
    hideMessage();
    const before = client;
    client = openClient({ member, group: before.group.get(), isOffline: false });
    await arrive();
    before.dispose();
  }

  async function logIn(user: User, href: string): Promise<void> {
    await change(user, () => router.navigate({ href, replace: true }));
  }

  async function endSession<Reply>(end: () => Promise<Reply>): Promise<Reply> {
    isEnding = true;
    try {
      const reply = await end();
      await client.outbox.clear();
      forgetTvToken();
      await change(null, () => router.navigate({ to: "/" }));
      // The next login needs the CSRF token of a new session.
      void requestCsrfCookie();
      return reply;
    } finally {
      isEnding = false;
    }
  }

  /** The session has ended, or another tab has logged in another member. */
  async function replaceMember(member: User | null): Promise<void> {
    if (isEnding) return;
    const waiting = client.outbox.entries.get().filter(isPending).length;
    await change(member, () => router.invalidate());
    if (member !== null || waiting === 0) return;
    const waits = `${formatBeers(waiting)} ${waiting === 1 ? "wartet" : "warten"}`;
    showMessage({ type: "warning", text: `Du bist abgemeldet. ${waits}, bis du dich wieder anmeldest.` });
  }
}

async function findVisitor(): Promise<Visitor> {
  const known = readMemberItem("user", userSchema);
  // Only known members and guests have something to show before the answer, which a weak mobile signal may delay for
  // minutes.
  const signal = known || location.pathname.startsWith("/guest/") ? AbortSignal.timeout(sessionTimeoutMs) : undefined;
  void requestCsrfCookie();
  const options = signal ? { signal } : {};
  const [status, group] = await Promise.all([call(checkLoginStatus, options).catch(() => null), findGroup(options)]);
  return { group, member: status ? status.user : known, isOffline: status === null };
}

/** Reads the settings from the page, else from the server, else from the last visit. */
async function findGroup(options: { readonly signal?: AbortSignal }): Promise<GroupConfig> {
  const content = document.querySelector<HTMLMetaElement>('meta[name="group"]')?.content;
  const written = content ? groupConfig.safeParse(JSON.parse(content)).data : undefined;
  return written ?? call(getGroupConfig, options).catch(() => readDeviceJson(groupKey, groupConfig) ?? defaultGroup);
}

/** The member's permissions may have changed. */
function followPermissions(router: AnyRouter, { member }: Client): void {
  const read = (): string => member.get()?.permissions.join(" ") ?? "";
  let known = read();
  member.subscribe(() => {
    if (read() === known) return;
    known = read();
    void router.invalidate();
  });
}
