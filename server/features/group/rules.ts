import type { GroupConfig, GroupWords } from "#contract/group.ts";
import type { Config } from "#server/config.ts";
import { embeddedKey, socketHost } from "#server/platform/realtime/connect.ts";

/** What the page is told before anybody logs in. */
export function publicConfig(config: Config, words: GroupWords, vapidPublicKey: string): GroupConfig {
  const { smtpUrl, realtimeUrl, appUrl } = config;
  return {
    ...words,
    time_zone: config.timeZone,
    height_requested_by: config.heightRequestedBy,
    vapid_public_key: vapidPublicKey,
    mail: smtpUrl !== null,
    realtime: realtimeUrl
      ? {
          key: realtimeUrl.key,
          cluster: realtimeUrl.cluster,
          wsHost: socketHost(realtimeUrl),
          wsPort: realtimeUrl.port,
          wssPort: realtimeUrl.port,
          forceTLS: realtimeUrl.isHttps,
        }
      : {
          key: embeddedKey,
          cluster: "eu",
          wsHost: null,
          wsPort: null,
          wssPort: null,
          forceTLS: appUrl.protocol === "https:",
        },
  };
}
