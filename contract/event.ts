import * as z from "zod/mini";

/** An event with its channel, its name on the wire and its data. */
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
 * The prefix of a member's own channel, followed by the member's id. All open pages of the member receive its events after
 * signing in.
 */
export const userChannelPrefix = "#server-to-user-";

/** All members who have the app open and do not hide; `user_info` is what others see of them. */
export const presenceChannel = "presence-stammtisch";
export const presentMember = z.object({ name: z.string(), avatarId: z.nullable(z.string()) });
export type PresentMember = z.output<typeof presentMember>;
