import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";

import type { deleteAccount as deleteAccountEndpoint } from "#contract/account.ts";
import type { BodyOf, Permission } from "#contract/endpoint.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { revokeAccessLinks } from "#server/features/admin/actions.ts";
import { verifyCurrentPassword } from "#server/features/auth/actions.ts";
import { publishCounterChange } from "#server/features/beercounter/actions.ts";
import { countWeekdays } from "#server/features/beercounter/rules.ts";
import {
  addToWeekdays,
  deleteBeersOf,
  deleteEmptyDays,
  listBeersOf,
  lockGroup,
  incrementVersion,
  updateGroup,
} from "#server/features/beercounter/store.ts";
import { normalize } from "#server/features/members/rules.ts";
import { lockAdmins, lockUserIfUnchanged } from "#server/features/members/store.ts";
import { listOwnMilestones } from "#server/features/milestones/store.ts";
import { listSubscriptions, findSettings } from "#server/features/notifications/store.ts";
import { formatDateTime, noticeLifetimeMs } from "#server/features/password-reset/rules.ts";
import { describeDevice } from "#server/platform/device-name.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import type { Context } from "#server/platform/context.ts";
import { csvLine, streamJson, createDateTimeFormat } from "./rules.ts";
import {
  anonymizeUser,
  deletePersonalRows,
  listOwnAudit,
  listOwnDevices,
  listOwnInvitations,
  listOwnKnownDevices,
  listOwnOpenings,
  listOwnPictures,
  listOwnResetLinks,
  listOwnUndoneBeers,
  findMembership,
} from "./store.ts";

const pageSize = 1000;

/** Everything that is stored about a member, as a JSON document that is written while it is being read. */
export async function createAccountExport({ db, clock, config }: Context, member: Member): Promise<Readable> {
  const { id, uname, name, email, permissions, avatarId, is_hidden, is_paused } = member;
  const pictureUrl = (picture: string) => new URL(`/internal/images/avatar/${picture}`, config.appUrl).href;
  const membership = await findMembership(db, id);
  const pushes = await listSubscriptions(db, id);
  const pushEndpointsOf = (session: string) =>
    pushes.filter(({ session_id }) => session_id === session).map(({ endpoint }) => endpoint);
  const head = {
    exported_at: toIso(clock.now()),
    profile: {
      id,
      uname,
      name,
      email,
      permissions,
      avatar: avatarId,
      is_shown: !is_hidden,
      is_paused: is_paused === true,
      member_since: toIso(membership.created_at),
      last_login_at: membership.last_login_at === null ? null : toIso(membership.last_login_at),
      invitation: membership.invitation_id,
    },
    reset_links: (await listOwnResetLinks(db, id)).map(({ is_mailed, expires_at }) => ({
      is_mailed: is_mailed === 1,
      open_until: toIso(expires_at),
    })),
    devices: (await listOwnDevices(db, id)).map((session) => ({
      device: describeDevice(session.user_agent),
      user_agent: session.user_agent,
      logged_in_at: toIso(session.created_at),
      last_seen_at: toIso(session.last_seen_at),
      password_entered_at: toIso(session.confirmed_at),
      stays_logged_in: session.is_remembered === 1,
      push_endpoint: pushEndpointsOf(session.id).join(" ") || null,
    })),
    known_browsers: (await listOwnKnownDevices(db, id)).map(({ last_login_at }) => ({
      last_login_at: toIso(last_login_at),
    })),
    pictures: (await listOwnPictures(db, id)).map((picture) => ({
      id: picture.id,
      url: pictureUrl(picture.id),
      uploaded_at: toIso(picture.created_at),
    })),
    notifications: await findSettings(db, id),
    invitations_made: (await listOwnInvitations(db, id)).map((invitation) => ({
      permissions: JSON.parse(invitation.permissions) as Permission[],
      made_at: toIso(invitation.created_at),
      expires_at: toIso(invitation.expires_at),
      uses_left: invitation.uses_left,
      revoked_at: invitation.revoked_at === null ? null : toIso(invitation.revoked_at),
    })),
    taps_taken_back: (await listOwnUndoneBeers(db, id)).map(({ key }) => ({ key })),
    milestones: (await listOwnMilestones(db, id)).map(({ at, ...milestone }) => ({ ...milestone, at: toIso(at) })),
    calendar_doors_opened: (await listOwnOpenings(db, id)).map(({ date, opened_at }) => ({
      date,
      opened_at: toIso(opened_at),
    })),
  };
  async function* audit() {
    for await (const rows of paginate(
      0,
      (afterId) => listOwnAudit(db, id, afterId, pageSize),
      (row) => row.id,
    )) {
      yield rows.map(({ at, action, actor_id, member_id, details }) => ({
        at: toIso(at),
        action,
        by_me: actor_id === id,
        about_me: member_id === id,
        details: JSON.parse(details) as object,
      }));
    }
  }
  async function* beers() {
    for await (const rows of paginateBeers(db, id))
      yield rows.map(({ at, booked_at, key }) => {
        return { at: toIso(at), booked_at: booked_at === null ? null : toIso(booked_at), key };
      });
  }
  return Readable.from(streamJson(head, { audit: audit(), beers: beers() }));
}

/** A member's beers as a table, oldest first; the mark at its beginning tells spreadsheets that it is UTF-8. */
export async function createBeersExport({ db, config }: Context, member: Member): Promise<Readable> {
  const dayAndTime = createDateTimeFormat(config.timeZone);
  async function* lines() {
    yield `\ufeff${csvLine(["Name", "Tag", "Uhrzeit", "Zeitpunkt (UTC)", "Schlüssel"])}`;
    for await (const rows of paginateBeers(db, member.id)) {
      yield rows.map(({ at, key }) => csvLine([member.name, ...dayAndTime(at), toIso(at), key ?? ""])).join("");
    }
  }
  return Readable.from(lines());
}

function paginateBeers(db: Db, userId: number) {
  const start = { at: -1, id: -1 };
  return paginate(
    start,
    (after) => listBeersOf(db, userId, after, pageSize),
    (beer) => beer,
  );
}

/** Page by page, so that neither memory nor the others wait for however many rows there are. */
async function* paginate<Row, Mark>(
  start: Mark,
  load: (after: Mark) => Promise<Row[]>,
  markOf: (row: Row) => Mark,
): AsyncGenerator<Row[]> {
  let after = start;
  for (;;) {
    const rows = await load(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = markOf(last);
  }
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}

/**
 * Takes a member's account away for good. Their row stays without anything personal in it, so that its number is never
 * somebody else's and a tap that is just being booked fails nobody; the beers stay in the counts or go from all of them.
 */
export async function deleteAccount(
  context: Context,
  member: Member,
  form: BodyOf<typeof deleteAccountEndpoint>,
): Promise<void> {
  const { db, clock, log, mailer, realtime } = context;
  if (normalize(form.uname.trim()) !== normalize(member.uname)) throw refuseField("uname", "L-uname");
  const checkedHash = await verifyCurrentPassword(context, member, form.password);
  await inTransaction(db, async (tx) => {
    const admins = await lockAdmins(tx);
    if (admins.length === 1 && admins[0] === member.id) throw refuse("M422admin");
    if (!(await lockUserIfUnchanged(tx, member.id, checkedHash))) throw refuseField("password", "L-password");
    await revokeAccessLinks(tx, member.id, clock.now(), member.id);
    // The ranking changes even where every beer stays.
    await incrementVersion(tx);
    if (form.beers === "remove") await removeBeers(tx, member.id);
    await deletePersonalRows(tx, member.id);
    await queueDeletionNotice(context, tx, member);
    const nobody = `ehemalig-${randomBytes(8).toString("hex")}`;
    await anonymizeUser(tx, member.id, {
      uname: nobody,
      name: "Ehemaliges Mitglied",
      email: `${nobody}@stammtisch.invalid`,
      disabled_at: clock.now(),
    });
  });
  log.info("account-deleted", { user: member.id });
  mailer.wake();
  await realtime.accessChanged({ userId: member.id });
  await publishCounterChange(context);
}

/** Takes all beers of one member out of every count there is. */
async function removeBeers(tx: Db, userId: number): Promise<void> {
  const group = await lockGroup(tx);
  const removed = (await deleteBeersOf(tx, userId)).map((count) => ({ ...count, total: -count.total }));
  if (removed.length === 0) return;
  await addToWeekdays(tx, countWeekdays(removed));
  const total = removed.reduce((sum, { total: less }) => sum + less, group.total);
  await updateGroup(tx, { ...group, total, first_day: await deleteEmptyDays(tx) });
}

async function queueDeletionNotice({ config, clock, mailer }: Context, tx: Db, { name, email }: Member): Promise<void> {
  const message = {
    recipient: email,
    subject: "Dein Konto ist gelöscht",
    greeting: `Hallo ${name},`,
    paragraphs: [
      `dein Konto wurde am ${formatDateTime(clock.now(), config.timeZone)} gelöscht. Das ist die letzte Mail an dich.`,
    ],
    closing: "Du warst das nicht? Dann sag eurer Verwaltung Bescheid.",
  };
  await mailer.queue(tx, message, clock.now() + noticeLifetimeMs);
}
