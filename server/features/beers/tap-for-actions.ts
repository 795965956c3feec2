import type { BeerKind } from "#contract/beercounter.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import type { getTappableMembers } from "#contract/tap-for.ts";
import * as memberStore from "#server/features/members/store.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { undoBeer, type BookTap } from "./actions.ts";
import * as faceStore from "./face-store.ts";
import { sortFaces, startOfEvening } from "./rules.ts";

export async function listTappableMembers(
  { db, clock, config }: Pick<Context, "db" | "clock" | "config">,
  { id: ownId }: Member,
): Promise<ReplyOf<typeof getTappableMembers>> {
  const faces = await faceStore.listFaces(db, "is_tappable", startOfEvening(clock.now(), config.timeZone));
  return { members: sortFaces(faces).filter(({ id }) => id !== ownId) };
}

export async function drinkFor(
  { db }: Pick<Context, "db">,
  book: BookTap,
  member: Member,
  id: number,
  { key, age, kind }: { readonly key: string; readonly age: number; readonly kind: BeerKind },
): Promise<void> {
  const face = id === member.id ? undefined : await faceStore.findFace(db, "is_tappable", id);
  const user = face && (await memberStore.findUserById(db, id));
  if (!user) throw refuse("notTappable");
  await book(memberStore.toUser(user), key, age, kind, { by_user_id: member.id, by_tablet: null });
}

/** Also undoes a beer of a member who has become untappable since. */
export async function undoFor(context: Context, member: Member, id: number, key: string): Promise<void> {
  await undoBeer(context, id, { key }, (beer) => {
    if (beer.by_user_id !== member.id) throw refuse("forbidden");
  });
}
