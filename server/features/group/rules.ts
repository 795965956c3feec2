import { defaultPasswordLength, type GroupConfig } from "#contract/group-config.ts";
import type { GroupSettings } from "#contract/group.ts";
import type { Manifest } from "#contract/manifest.ts";
import type { Config } from "#server/config.ts";
import { embeddedKey, socketHost } from "#server/platform/realtime/create-realtime.ts";

/** Pages load these settings even before the login. */
export function createGroupConfig(config: Config, settings: GroupSettings, vapidPublicKey: string): GroupConfig {
  const { smtpUrl, realtimeUrl, appUrl } = config;
  return {
    ...settings,
    time_zone: config.timeZone,
    height_requested_by: config.heightRequestedBy,
    vapid_public_key: vapidPublicKey,
    ...(config.passwordMinLength !== defaultPasswordLength && { password_min_length: config.passwordMinLength }),
    mail: smtpUrl !== null,
    ...(config.oidcIssuer !== null && { oidc_label: config.oidcLabel }),
    ...(!config.passwordLogin && { password_login: "off" }),
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

/** Icons and screenshots are in `web/public`. */
export function createManifest({ group_name, group_short }: GroupSettings): Manifest {
  const icon = (name: string, size: number, purpose: string) => ({
    src: `/icons/${name}-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  const shortcut = (name: string, url: string, picture: string) => ({
    name,
    url,
    icons: [{ src: `/icons/${picture}-96.png`, sizes: "96x96", type: "image/png" }],
  });
  const screenshot = (form_factor: "narrow" | "wide", sizes: string) => ({
    src: `/screenshots/${form_factor}.png`,
    sizes,
    type: "image/png",
    form_factor,
    label: "Der Bier-Counter",
  });
  return {
    id: "/",
    name: group_name,
    // Home screens cut off longer names.
    short_name: group_name.length <= 12 ? group_name : group_short,
    description: "Bier-Counter, Game-Server und Adventskalender unserer Runde.",
    lang: "de",
    start_url: "/dashboard",
    scope: "/",
    display: "standalone",
    theme_color: "#4a2c17",
    background_color: "#f3e7d0",
    icons: [
      icon("icon", 192, "any"),
      icon("icon", 512, "any"),
      icon("maskable", 192, "maskable"),
      icon("maskable", 512, "maskable"),
      icon("badge", 96, "monochrome"),
    ],
    shortcuts: [
      // Opens only the page with the tap button, because opening a URL must not book a beer.
      shortcut("Bier trinken", "/beercounter#drink-beer", "drink"),
      shortcut("Game-Server", "/game-servers", "servers"),
    ],
    screenshots: [screenshot("narrow", "780x1688"), screenshot("wide", "1280x1020")],
  };
}
