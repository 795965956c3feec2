import * as z from "zod/mini";

/** An event: its channel, its name on the wire, its data. */
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
 * The channel of one member, followed by the member's id. All open pages of the member get its events, once they have
 * signed in.
 */
export const userChannelPrefix = "#server-to-user-";

/** Every member who has the app open and does not hide; `user_info` is what the others see of a member. */
export const presenceChannel = "presence-stammtisch";
export const presentMember = z.object({ name: z.string(), avatarId: z.nullable(z.string()) });
export type PresentMember = z.output<typeof presentMember>;
