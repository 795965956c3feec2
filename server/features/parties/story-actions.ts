import { partyTold } from "#contract/party-events.ts";
import type { PartyRecap } from "#contract/party-recap.ts";
import type { Db } from "#server/db/connect.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Say } from "#server/platform/say.ts";
import { days, hours, toIso } from "#server/time.ts";
import * as guestStore from "./guest-store.ts";
import { photoCallLength } from "./photo-rules.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

/** The counter opens no story of a party that ended earlier. */
const storyAge = days(3);
/** A server that was off tells no earlier end. */
const newsAge = hours(12);

interface Told {
  readonly id: number;
  readonly name: string;
}

/** Tells each of these members on open pages and by push. */
export async function tellMembers(
  say: Say,
  { id, name }: Told,
  news: "photo" | "ended",
  members: readonly { readonly id: number }[],
): Promise<void> {
  for (const { id: userId } of members) await say.event(partyTold, { id, name, news }, userId);
  await say.push(
    ...members.map(({ id: to }) => ({
      kind: "party" as const,
      about: `${id} ${news}`,
      senderId: null,
      to,
      ...(news === "photo"
        ? { body: "Jetzt ein Foto vom Tisch, zwei Minuten.", lifetime: photoCallLength }
        : { body: `„${name}“ ist vorbei. So war euer Abend.` }),
    })),
  );
}

/** Does nothing if they have been told. `endedBy` knows it already. */
export async function tellEnd(tx: Db, say: Say, party: Told, endedBy: number | null): Promise<void> {
  if (!(await store.claimEnd(tx, party.id))) return;
  const members = await store.listMembers(tx, party.id);
  await tellMembers(
    say,
    party,
    "ended",
    members.filter(({ id, disabled_at }) => id !== endedBy && disabled_at === null),
  );
}

/** For parties that have ended automatically. */
export async function tellEnds(context: Context): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  for (const party of await store.listUntoldEnds(db, now - newsAge, now))
    await change(context, null, (tx, say) => tellEnd(tx, say, party, null));
}

/** Returns the story that the counter opens. */
export async function findStory({ db, clock }: Pick<Context, "db" | "clock">, member: Member): Promise<number | null> {
  const now = clock.now();
  const party = await store.findUnseenStory(db, member.id, now - storyAge, now);
  if (!party) return null;
  const counts = [...(await store.countBeers(db, party)), ...(await guestStore.countBeers(db, party))];
  return counts.length > 0 ? party.id : null;
}

export async function seeStory({ db }: Pick<Context, "db">, member: Member, id: number): Promise<void> {
  if (!(await store.markStorySeen(db, id, member.id))) throw refuse("notFound");
}

/** `names` has the members who may be named, by id. */
export async function findRound(
  db: Db,
  party: Parameters<typeof store.findNthBeer>[1],
  total: number,
  names: ReadonlyMap<number, string>,
): Promise<PartyRecap["round"]> {
  const count = rules.lastRoundNumber(total);
  const beer = count === null ? undefined : await store.findNthBeer(db, party, count);
  if (count === null || !beer) return null;
  return { count, at: toIso(beer.at), name: beer.user_id === null ? null : (names.get(beer.user_id) ?? null) };
}
