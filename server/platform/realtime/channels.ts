import { presenceChannel } from "#contract/event.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Access, RealtimeChannel } from "./options.ts";
import { type Credentials, isChannelName, isSocketId, signChannel, signUser } from "./signatures.ts";

export type Channels = ReadonlyMap<string, RealtimeChannel>;

export function indexChannels(channels: readonly RealtimeChannel[]): Channels {
  return new Map([...channels, { name: presenceChannel }].map((channel) => [channel.name, channel]));
}

/** Members who hide their presence may not subscribe to the presence channel. */
export function canJoin(channel: RealtimeChannel, access: Access): boolean {
  if (channel.name === presenceChannel) return access.isShown;
  return channel.permission === undefined || access.permissions.includes(channel.permission);
}

export interface ChannelSignature {
  readonly auth: string;
  /** JSON about the member, exactly as it was signed; only for the presence channel. */
  readonly channel_data?: string;
}

/** Throws 403 for an unknown channel, or if this member may not subscribe to it. */
export function signSubscription(
  credentials: Credentials,
  channels: Channels,
  { socketId, channel }: { readonly socketId: string; readonly channel: string },
  access: Access,
): ChannelSignature {
  const found = channels.get(channel);
  if (!isSocketId(socketId) || !isChannelName(channel) || !found || !canJoin(found, access)) throw refuse("forbidden");
  if (channel !== presenceChannel) return { auth: signChannel(credentials, socketId, channel) };
  const channelData = JSON.stringify({ user_id: String(access.userId), user_info: toUserInfo(access) });
  return { auth: signChannel(credentials, socketId, channel, channelData), channel_data: channelData };
}

/** For `pusher:signin`, which opens the member's own channel. */
export interface UserSignature {
  readonly auth: string;
  readonly user_data: string;
}

/** Throws 403 for a malformed socket id. */
export function signSignIn(credentials: Credentials, socketId: string, access: Access): UserSignature {
  if (!isSocketId(socketId)) throw refuse("forbidden");
  const userData = encodeUserData(access);
  return { auth: signUser(credentials, socketId, userData), user_data: userData };
}

export function encodeUserData(access: Access): string {
  return JSON.stringify({ id: String(access.userId), user_info: toUserInfo(access) });
}

/** Data that other members may see. */
export function toUserInfo({ name, avatarId }: Pick<Access, "name" | "avatarId">): object {
  return { name, avatarId };
}
