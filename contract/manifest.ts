import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

const pictures = z.array(z.object({ src: z.string(), sizes: z.string(), type: z.string() }));

/** The web app manifest, from which browsers install the app under the group's name. */
export const manifest = z.object({
  id: z.string(),
  name: z.string(),
  short_name: z.string(),
  description: z.string(),
  lang: z.string(),
  start_url: z.string(),
  scope: z.string(),
  display: z.string(),
  theme_color: z.string(),
  background_color: z.string(),
  icons: z.array(z.object({ src: z.string(), sizes: z.string(), type: z.string(), purpose: z.string() })),
  shortcuts: z.array(z.object({ name: z.string(), url: z.string(), icons: pictures })),
  screenshots: z.array(
    z.object({ src: z.string(), sizes: z.string(), type: z.string(), form_factor: z.string(), label: z.string() }),
  ),
});
export type Manifest = z.output<typeof manifest>;

export const getManifest = endpoint("GET /manifest.webmanifest", {
  who: "everyone",
  perMinute: 60,
  reply: manifest,
});
