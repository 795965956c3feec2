import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";

import type * as contract from "#contract/account.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import type { Db } from "#server/db/connect.ts";
import { publishCounterChange } from "#server/features/beers/actions.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { announceDealings, dealDoorsOfLeaver } from "#server/features/calendar/lottery-actions.ts";
import { normalize } from "#server/features/members/rules.ts";
import { lockSession } from "#server/features/members/session-actions.ts";
import * as memberStore from "#server/features/members/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import { checkRecentPassword, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import type { RequestSource } from "#server/platform/http/request-log.ts";
import { formatDateTime } from "#server/platform/mail/notice.ts";
import type { Say } from "#server/platform/say.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import { minutes, toIso } from "#server/time.ts";
import { csvLine, streamJson, createDateTimeFormat } from "./account-rules.ts";
import * as store from "./account-store.ts";
import { verifyCurrentPassword } from "./login-actions.ts";
import { revokeAccessLinks } from "./management-actions.ts";

export async function createAccountExport(context: Context, member: Member): Promise<Readable> {
  const head: Record<string, unknown> = { exported_at: toIso(context.clock.now()) };
  const lists: Record<string, AsyncIterable<readonly object[]>> = {};
  for (const exportFields of context.accountExports) {
    for (const [name, value] of Object.entries(await exportFields(context, member))) {
      if (isAsyncIterable(value)) lists[name] = value as AsyncIterable<readonly object[]>;
      else head[name] = value;
    }
  }
  return Readable.from(streamJson(head, lists));
}

function isAsyncIterable(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Starts with a byte order mark, which tells spreadsheets that the file is UTF-8. */
export async function createBeersExport(
  { db, config }: Pick<Context, "db" | "config">,
  member: Member,
): Promise<Readable> {
  const dayAndTime = createDateTimeFormat(config.timeZone);
  async function* lines() {
    yield `\ufeff${csvLine(["Name", "Tag", "Uhrzeit", "Zeitpunkt (UTC)", "Schlüssel", "Alkoholfrei"])}`;
    for await (const rows of beerStore.paginateBeers(db, member.id)) {
      yield rows
        .map(({ at, key, kind }) =>
          csvLine([member.name, ...dayAndTime(at), toIso(at), key ?? "", kind === "0,0" ? "ja" : ""]),
        )
        .join("");
    }
  }
  return Readable.from(lines());
}

/** Anonymizes the row and keeps it, so that its id is never reused and a booking in flight does not fail. */
export async function deleteAccount(
  context: Context,
  member: Member,
  form: BodyOf<typeof contract.deleteAccount>,
  source: RequestSource,
): Promise<void> {
  const { clock, log } = context;
  if (normalize(form.uname.trim()) !== normalize(member.uname)) throw refuseField("uname", "wrongUname");
  if (form.password === undefined) checkRecentPassword(member, clock.now(), minutes(1));
  const checkedHash = form.password && (await verifyCurrentPassword(context, member, form.password, source));
  await change(context, member.id, async (tx, say) => {
    const admins = await memberStore.lockAdmins(tx);
    if (admins.length === 1 && admins[0] === member.id) throw refuse("lastAdministrator");
    if (checkedHash === undefined) await lockSession(tx, member);
    else if (!(await memberStore.lockUserIfUnchanged(tx, member.id, checkedHash)))
      throw refuseField("password", "wrongPassword");
    // Even if all beers are kept, open pages must drop the deleted member from the ranking.
    await beerStore.incrementVersion(tx);
    await revokeAccessLinks(tx, say, member.id, clock.now());
    if (form.beers === "remove") await removeBeersWithKeys(tx, member.id);
    await queueDeletionNotice(context, say, member);
    await say.audit("account-deleted", {}, member.id);
    const nobody = `ehemalig-${randomBytes(8).toString("hex")}`;
    await store.anonymizeUser(tx, member.id, {
      uname: nobody,
      name: "Ehemaliges Mitglied",
      email: `${nobody}@stammtisch.invalid`,
      disabled_at: clock.now(),
    });
    await dealDoorsOfLeaver(tx, say, context, member.id, clock.now());
    await deletePersonalRows(tx, context.tables);
    await say.access({ userId: member.id });
    await publishCounterChange(tx, say);
    await announceDealings(tx, say, context);
  });
  log.info("account-deleted", { user: member.id });
}

/** Deletes the rows that requests in flight wrote for an account while it was being deleted. */
export async function deletePersonalRows(db: Db, tables: TablePolicies): Promise<void> {
  for (const [table, { memberColumns = {} }] of Object.entries(tables)) {
    for (const [column, { onAccountDeletion }] of Object.entries(memberColumns))
      if (onAccountDeletion === "delete") await store.deleteRowsOfDeletedAccounts(db, table, column);
  }
}

async function removeBeersWithKeys(tx: Db, userId: number): Promise<void> {
  const group = await beerStore.lockGroupTotal(tx);
  const removed = await beerStore.deleteBeersOf(tx, userId);
  if (removed.length === 0) return;
  const total = removed.reduce((rest, day) => rest - day.total, group.total);
  await beerStore.updateGroupTotal(tx, {
    total,
    version: group.version + 1,
    first_day: await beerStore.deleteEmptyDays(tx, userId),
  });
}

async function queueDeletionNotice(
  { config, clock }: Pick<Context, "config" | "clock">,
  say: Say,
  { email }: Member,
): Promise<void> {
  const message = {
    recipient: email,
    subject: "Dein Account ist gelöscht",
    paragraphs: [
      `dein Account wurde am ${formatDateTime(clock.now(), config.timeZone)} gelöscht. Das ist die letzte Mail an dich.`,
    ],
    closing: "Du warst das nicht? Dann sag eurer Verwaltung Bescheid.",
  };
  await say.mail(message);
}
