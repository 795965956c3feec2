import type { PartyGuest } from "#contract/party-guests.ts";
import type { ListedParty, ShownParty } from "#contract/party.ts";
import { isUndo, type OutboxEntry } from "#web/client/outbox-rules.ts";
import type { RankedDrinker } from "#web/features/beers/ranking.tsx";
import { formatCount, formatDate, formatTimeOfDay } from "#web/ui/german.ts";

export const namePlaceholder = "Grillen bei Ben";

export function describeDay({ is_running, starts_at }: ListedParty, timeZone: string): string {
  return is_running
    ? `seit ${formatTimeOfDay(starts_at, timeZone, "weekday")}`
    : formatDate(starts_at, "date", timeZone);
}

export function addToRanking(party: ShownParty, memberId: number | undefined, beers: number): ShownParty {
  const users = party.users.map((user) => {
    const count = Math.max(0, user.beercounter_entries_count + beers);
    return user.id === memberId ? { ...user, beercounter_entries_count: count } : user;
  });
  return { ...party, users };
}

/** Returns "Läuft seit 20:30 Uhr" or "20. November 2026, 20:30 bis 01:15 Uhr (4 Std. 45 Min.)". */
export function describeTimes({ is_running, starts_at, ends_at }: ShownParty, timeZone: string): string {
  if (is_running) return `Läuft seit ${formatTimeOfDay(starts_at, timeZone)}`;
  const length = formatLength(Date.parse(ends_at) - Date.parse(starts_at));
  const [day, start] = (["date", "time"] as const).map((style) => formatDate(starts_at, style, timeZone));
  return `${day}, ${start} bis ${formatTimeOfDay(ends_at, timeZone)} (${length})`;
}

/** Returns at least "1 Min.". */
export function formatLength(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const parts = [
    [Math.floor(minutes / 60), "Std."],
    [minutes % 60, "Min."],
  ] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(" ");
}

export function formatPeople(count: number): string {
  return formatCount(count, "Person", "Leute");
}

type Starter = Pick<ShownParty, "by" | "is_starter_former">;

/** Returns "gestartet von Ben"; `null` if unknown. */
export function describeStarter({ by, is_starter_former }: Starter): string | null {
  const starter = is_starter_former ? "einem ehemaligen Mitglied" : by;
  return starter === "" ? null : `gestartet von ${starter}`;
}

/** Returns "8 Mitglieder und 2 Gäste, gestartet von Ben." */
export function describePeople(party: Pick<ShownParty, "users" | "others" | "guest_count"> & Starter): string {
  const starter = describeStarter(party);
  return starter === null ? `${formatEverybody(party)}.` : `${formatEverybody(party)}, ${starter}.`;
}

/** Returns as `own` the text for a member without beers. */
export function emptyTexts({ is_running, is_member, is_home }: ShownParty): { own: string; ranking: string } {
  return is_running
    ? {
        own: is_home ? "Du bist schon daheim." : "Du bist nicht dabei.",
        ranking: "Noch sind alle nüchtern.",
      }
    : {
        own: is_member ? "Kein Strich auf deinem Deckel." : "Du warst nicht dabei.",
        ranking: "Alle nüchtern geblieben.",
      };
}

export function formatEverybody(party: Pick<ShownParty, "users" | "others" | "guest_count">): string {
  const count = party.users.length + party.others;
  if (party.guest_count === 0) return formatPeople(count);
  return `${formatCount(count, "Mitglied", "Mitglieder")} und ${formatCount(party.guest_count, "Gast", "Gäste")}`;
}

/** Returns only "Gast" if the inviting member is hidden or disabled. */
export function describeGuest({ by, can_count, is_by_qr }: PartyGuest): string {
  if (is_by_qr) return "zählt selbst";
  if (by === null) return "Gast";
  return can_count ? "dein Gast" : `Gast von ${by}`;
}

/** Includes guests while the party is running. */
export function listRanked({ users, guests }: ShownParty): readonly RankedDrinker[] {
  const ranked = guests.map(({ id, name, total, by, is_by_qr }): RankedDrinker => ({
    // Negative, and so never the id of a member.
    id: -id,
    name,
    uname: "",
    profile_picture: null,
    beercounter_entries_count: total,
    guest_of: is_by_qr ? null : by,
  }));
  return [...users, ...ranked];
}

/** Bridges the time until the party is refetched. */
export function applyGuestTotal(party: ShownParty, entry: OutboxEntry, total: number): ShownParty {
  const before = party.guests.find(({ id }) => String(id) === entry.params?.["guest"]);
  if (!before) return party;
  const others = before.undo_keys.filter((key) => key !== entry.beer);
  const after = { ...before, total, undo_keys: isUndo(entry) ? others : [...others, entry.beer] };
  return {
    ...party,
    total: party.total + total - before.total,
    guest_total: party.guest_total + total - before.total,
    guests: party.guests.map((guest) => (guest === before ? after : guest)),
  };
}

/** Beers or photos, so that there is something to tell. */
export function hasStory({ is_running, recap, photos }: ShownParty): boolean {
  return !is_running && (recap !== null || photos.length > 0);
}

/** Managers of a running party see the switch. */
export function hasPhotos({ photos, can_add_photo, is_manager, is_running }: ShownParty): boolean {
  return photos.length > 0 || can_add_photo || (is_manager && is_running);
}
