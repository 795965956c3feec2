import * as z from "zod/mini";

/** A realtime event: its channel, its name on the wire and the schema of its data. */
export interface Event<Data extends z.ZodMiniType = z.ZodMiniType> {
  readonly channel: string;
  readonly name: string;
  readonly data: Data;
}

export function event<Data extends z.ZodMiniType>(definition: Event<Data>): Event<Data> {
  return definition;
}

export type DataOf<E> = E extends Event<infer D> ? z.output<D> : never;

/**
 * Prefix of a member's private channel; the member's id follows it. All open pages of the member
 * receive the channel's events once their connections have signed in.
 */
export const userChannelPrefix = "#server-to-user-";

/** The channel of all members who have the app open and are not hidden. */
export const presenceChannel = "presence-stammtisch";
/** The data about a present member that other members receive as `user_info`. */
export const presentMember = z.object({ name: z.string(), avatarId: z.nullable(z.string()) });
export type PresentMember = z.output<typeof presentMember>;

/**
 * The number of present members has changed. Sent only if more than 100 are present, because pages
 * then do not know all names.
 */
export const presentCounted = event({
  channel: presenceChannel,
  name: "counted",
  data: z.object({ count: z.int() }),
});
