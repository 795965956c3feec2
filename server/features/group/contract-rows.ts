import { type ContractRows, everyone, prefixed } from "#test/contract-row.ts";

export const contractRows = {
  "GET /healthz": { statuses: everyone(200), fields: ["status"] },
  "GET /readyz": { statuses: everyone(200), fields: ["status"] },
  "GET /api/config": {
    statuses: everyone(200),
    fields: [
      ..."group_name group_short time_zone height_requested_by vapid_public_key mail".split(" "),
      ...prefixed("legal_links[].", ["label", "url"]),
      ...prefixed("realtime.", ["key", "cluster", "wsHost", "wsPort", "wssPort", "forceTLS"]),
    ],
  },
  "GET /manifest.webmanifest": {
    statuses: everyone(200),
    fields: [
      ..."id name short_name description lang start_url scope display theme_color background_color".split(" "),
      ...prefixed("icons[].", ["src", "sizes", "type", "purpose"]),
      ...prefixed("shortcuts[].", ["name", "url"]),
      ...prefixed("shortcuts[].icons[].", ["src", "sizes", "type"]),
      ...prefixed("screenshots[].", ["src", "sizes", "type", "form_factor", "label"]),
    ],
  },
} satisfies ContractRows;
