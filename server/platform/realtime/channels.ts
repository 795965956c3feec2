import { presenceChannel } from "#contract/event.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Access, RealtimeChannel } from "./options.ts";
import { type Credentials, isChannelName, isSocketId, signChannel, signUser } from "./signatures.ts";

/** The channels that features registered, and the presence channel, by name. */
export type Channels = ReadonlyMap<string, RealtimeChannel>;

export function indexChannels(channels: readonly RealtimeChannel[]): Channels {
  return new Map([...channels, { name: presenceChannel }].map((channel) => [channel.name, channel]));
}

/** Whether this member may join. Only members who are seen themselves may see who is present. */
export function canJoin(channel: RealtimeChannel, access: Access): boolean {
  if (channel.name === presenceChannel) return access.isShown;
  return channel.permission === undefined || access.permissions.includes(channel.permission);
}

/** What a page sends with its subscription to a channel. */
export interface ChannelSignature {
  readonly auth: string;
  /** For the presence channel: the member, exactly as signed. */
  readonly channel_data?: string;
}

/** Signs a subscription; 403 for a channel that does not exist or that this member may not join. */
export function signSubscription(
  credentials: Credentials,
  channels: Channels,
  { socketId, channel }: { readonly socketId: string; readonly channel: string },
  access: Access,
): ChannelSignature {
  const found = channels.get(channel);
  if (!isSocketId(socketId) || !isChannelName(channel) || !found || !canJoin(found, access)) throw refuse("M403");
  if (channel !== presenceChannel) return { auth: signChannel(credentials, socketId, channel) };
  const channelData = JSON.stringify({ user_id: String(access.userId), user_info: toUserInfo(access) });
  return { auth: signChannel(credentials, socketId, channel, channelData), channel_data: channelData };
}

/** What a page sends to sign in. */
export interface UserSignature {
  readonly auth: string;
  readonly user_data: string;
}

/** Signs a sign-in; 403 for a malformed socket id. */
export function signSignIn(credentials: Credentials, socketId: string, access: Access): UserSignature {
  if (!isSocketId(socketId)) throw refuse("M403");
  const userData = JSON.stringify({ id: String(access.userId), user_info: toUserInfo(access) });
  return { auth: signUser(credentials, socketId, userData), user_data: userData };
}

/** What the others see of a member. */
export function toUserInfo({ name, avatarId }: Pick<Access, "name" | "avatarId">): object {
  return { name, avatarId };
}
