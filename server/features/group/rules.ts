import type { GroupConfig } from "#contract/group.ts";
import type { Config } from "#server/config.ts";

/** The key of the embedded socket server: public, and the same everywhere. */
export const embeddedKey = "stammtisch";

/** What the page is told before anybody logs in. */
export function publicConfig({ groupName, groupShort, legalLinks, smtpUrl, realtimeUrl, appUrl }: Config): GroupConfig {
  return {
    group_name: groupName,
    group_short: groupShort,
    legal_links: [...legalLinks],
    vapid_public_key: null,
    mail: smtpUrl !== null,
    realtime: realtimeUrl
      ? {
          key: realtimeUrl.key,
          cluster: realtimeUrl.cluster,
          wsHost: realtimeUrl.host,
          wsPort: realtimeUrl.port,
          wssPort: realtimeUrl.port,
          forceTLS: realtimeUrl.isHttps,
        }
      : { key: embeddedKey, cluster: "eu", wsHost: null, wsPort: null, wssPort: null, forceTLS: appUrl.protocol === "https:" },
  };
}
