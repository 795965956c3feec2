import * as z from "zod/mini";

/** A broadcast: which channel, which name on the wire, what it carries. */
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
 * Events for one member alone, on all of her or his open pages. On the wire the member's id follows; pages hear it once
 * they have signed in.
 */
export const userChannelPrefix = "#server-to-user-";

/** Everyone who is logged in, has the app open and wants to be seen; `user_info` is what the others see of a member. */
export const presenceChannel = "presence-stammtisch";
export const presentMember = z.object({ name: z.string(), avatarId: z.nullable(z.string()) });
export type PresentMember = z.output<typeof presentMember>;
