import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { user } from "./members.ts";

/**
 * Schemas of WebAuthn options and responses. They validate only the fields below; the browser and
 * the server's WebAuthn library validate the others.
 */
const base64Url = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/));
const challengeOptions = z.object({ options: z.looseObject({ challenge: z.string() }) });
const credential = { id: base64Url, rawId: base64Url, type: z.literal("public-key") };
const newCredential = field(
  "Passkey",
  z.looseObject({
    ...credential,
    clientExtensionResults: z.looseObject({}),
    response: z.looseObject({ clientDataJSON: base64Url, attestationObject: base64Url }),
  }),
);
const assertion = field(
  "Passkey",
  z.looseObject({
    ...credential,
    clientExtensionResults: z.looseObject({}),
    response: z.looseObject({ clientDataJSON: base64Url, authenticatorData: base64Url, signature: base64Url }),
  }),
);
export type NewCredential = z.output<typeof newCredential>;
export type Assertion = z.output<typeof assertion>;

const passkeyName = field("Name", readableText(64));
const maxBody = 16_384;

/**
 * A passkey of the requesting member. Times in ISO 8601; `last_used_at` is `null` before the first
 * use.
 */
export const passkey = z.object({
  id: z.int(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.nullable(z.string()),
});
export type Passkey = z.output<typeof passkey>;

/** Maximum number of passkeys per member. */
export const maxPasskeys = 10;

export const getPasskeys = endpoint("GET /api/user/passkeys", { who: "member", reply: z.array(passkey) });

/**
 * Returns WebAuthn options for creating a passkey. The options of all endpoints in this file are
 * valid once and for five minutes.
 */
export const startPasskey = endpoint("POST /api/user/passkey-options", {
  who: "member",
  needsRecentPassword: true,
  reply: challengeOptions,
});

export const addPasskey = endpoint("POST /api/user/passkeys", {
  who: "member",
  needsRecentPassword: true,
  maxBody,
  body: z.object({ credential: newCredential, name: passkeyName }),
  reply: fixedMessage("Passkey gespeichert."),
  status: 201,
});

export const renamePasskey = endpoint("POST /api/user/passkeys/:id/name", {
  who: "member",
  params: z.object({ id: rowId }),
  body: z.object({ name: passkeyName }),
  reply: fixedMessage("Passkey umbenannt."),
});

/** Removes a passkey; 422 for an administrator's last passkey if the admin area requires one. */
export const removePasskey = endpoint("DELETE /api/user/passkeys/:id", {
  who: "member",
  needsRecentPassword: true,
  params: z.object({ id: rowId }),
  reply: fixedMessage("Passkey entfernt."),
});

/**
 * Returns WebAuthn options for a login, without a list of passkeys, because the browser knows which
 * ones it has.
 */
export const startPasskeyLogin = endpoint("POST /api/login/passkey/options", {
  who: "everyone",
  perMinute: 60,
  reply: challengeOptions,
});

export const loginWithPasskey = endpoint("POST /api/login/passkey", {
  who: "everyone",
  perMinute: 30,
  maxBody,
  body: z.object({
    credential: assertion,
    rememberUser: field("Eingeloggt bleiben", z._default(z.boolean(), false)),
  }),
  reply: z.object({ user }),
});

export const startPasskeyConfirmation = endpoint("POST /api/user/confirmPasskey/options", {
  who: "member",
  reply: challengeOptions,
});

/**
 * Confirms the logged-in member by passkey, with the same effect as entering the password. The
 * session gets a new id.
 */
export const confirmWithPasskey = endpoint("POST /api/user/confirmPasskey", {
  who: "member",
  perMinute: 10,
  maxBody,
  body: z.object({ credential: assertion }),
  reply: fixedMessage("Bestätigt."),
});
