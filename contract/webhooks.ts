import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, message, readableText, requiredText, rowId } from "./fields.ts";
import { field } from "./labels.ts";

/** Kinds of events that a webhook may send. `beers` is a summary of all beers of a quarter of an hour. */
export const webhookEvents = ["beers", "milestone", "party", "game-server", "calendar-door"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/**
 * Message formats. `json` is signed and meant for programs of the group; the others are the formats
 * of chat services.
 */
export const webhookFormats = ["json", "discord", "ntfy", "gotify", "matrix"] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** Maximum number of webhooks. */
export const maxWebhooks = 10;

/** Number of deliveries that the admin page shows per webhook. */
export const shownDeliveries = 5;

/** A message to a receiver. Times in ISO 8601. */
const webhookDelivery = z.object({
  id: z.string(),
  event: z.enum(webhookEvents),
  created_at: z.string(),
  /**
   * `waiting`: not delivered yet. `dropped`: refused or not confirmed by the receiver, not delivered within a day,
   * or waiting when the webhook was paused.
   */
  state: z.enum(["waiting", "delivered", "dropped"]),
  attempts: z.int(),
  /** The receiver's last answer as a German sentence; `null` before the first attempt. */
  answer: z.nullable(z.string()),
});

/** A webhook without its secrets. Times in ISO 8601. */
export const webhook = z.object({
  id: z.int(),
  name: z.string(),
  format: z.enum(webhookFormats),
  /** Host and port; the rest of the URL may be secret. */
  host: z.string(),
  events: z.array(z.enum(webhookEvents)),
  created_at: z.string(),
  /**
   * Name of the administrator who created or last resumed the webhook, `Ehemaliges Mitglied` if that
   * account was deleted; `null` if that member is unknown.
   */
  by: z.nullable(z.string()),
  /**
   * Time at which the webhook was paused: by many failures, a restored backup, or because its
   * administrator lost `admin`; `null` if it is not paused.
   */
  paused_at: z.nullable(z.string()),
  /** The last deliveries, newest first. */
  deliveries: z.array(webhookDelivery),
});
export type Webhook = z.output<typeof webhook>;

/** Lists the webhooks, the oldest first. */
export const getWebhooks = endpoint("GET /api/admin/webhooks", { who: ["admin"], reply: z.array(webhook) });

const events = field(
  "Ereignisse",
  z.array(z.enum(webhookEvents)).check(z.minLength(1, "required"), z.maxLength(webhookEvents.length)),
);

/**
 * Creates a webhook. `secret` verifies the signatures of the format `json`, and only this reply
 * contains it; `null` for other formats.
 */
export const createWebhook = endpoint("POST /api/admin/webhooks", {
  who: ["admin"],
  needsRecentPassword: true,
  body: z.object({
    name: field("Name", readableText(64)),
    format: field("Empfänger", z.enum(webhookFormats)),
    url: field("Adresse", requiredText.check(z.maxLength(1000))),
    /** Access token of the receiver; empty without one. */
    token: field("Token des Empfängers", z.string().check(z.trim(), z.regex(/^[\x21-\x7e]{0,500}$/))),
    events,
  }),
  reply: z.object({ id: z.int(), secret: z.nullable(z.string()) }),
  status: 201,
  maxBody: 4096,
});

/** Changes the name and the events of a webhook. */
export const changeWebhook = endpoint("POST /api/admin/webhooks/:id", {
  who: ["admin"],
  params: z.object({ id: rowId }),
  body: z.object({ name: field("Name", readableText(64)), events }),
  reply: fixedMessage("Webhook geändert."),
});

/**
 * Ends the pause of a webhook, which then belongs to the requesting administrator. Events that happened
 * during the pause are never sent.
 */
export const resumeWebhook = endpoint("POST /api/admin/webhooks/:id/resume", {
  who: ["admin"],
  params: z.object({ id: rowId }),
  reply: fixedMessage("Webhook sendet wieder."),
});

/** Sends a test message at once; replies with the receiver's answer as a German sentence. */
export const testWebhook = endpoint("POST /api/admin/webhooks/:id/test", {
  who: ["admin"],
  rate: { per: "member", limit: 10, seconds: 60 },
  params: z.object({ id: rowId }),
  reply: z.extend(message, { is_delivered: z.boolean() }),
});

/** Deletes a webhook with its deliveries. */
export const deleteWebhook = endpoint("DELETE /api/admin/webhooks/:id", {
  who: ["admin"],
  params: z.object({ id: rowId }),
  reply: fixedMessage("Webhook entfernt."),
});
