import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage } from "./fields.ts";
import { field } from "./labels.ts";
import { email, memberName, uname } from "./member-fields.ts";
import { user } from "./members.ts";

/** Path of the page to which the OpenID provider returns the browser. */
export const callbackPath = "/login/oidc";

/** The page of the app to open after the login. The web app checks that it is a page of the app. */
const returnTo = field("Ziel", z._default(z.string().check(z.maxLength(1024)), ""));

/** Address of the OpenID provider, to which the page navigates. */
const providerAddress = z.object({ url: z.string().check(z.regex(/^https?:\/\//)) });

/**
 * Starts a login. With an `invitation`, a person who is not yet a member may register after it.
 * Sets the cookie that binds the login to this browser.
 */
export const startOidcLogin = endpoint("POST /api/oidc/login", {
  who: "everyone",
  maxBody: 4096,
  body: z.object({
    rememberUser: field("Eingeloggt bleiben", z._default(z.boolean(), false)),
    invitation: field("Anmelde-Token", z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(128)))),
    return_to: returnTo,
  }),
  reply: providerAddress,
});

export const oidcPurposes = ["login", "link", "confirm"] as const;
export type OidcPurpose = (typeof oidcPurposes)[number];

/**
 * Finishes a login, link or confirmation. `answer`: the query with which the provider returned the
 * browser. It is valid once, for ten minutes, and only in the browser in which the login, link or
 * confirmation was started.
 */
export const finishOidc = endpoint("POST /api/oidc/finish", {
  who: "everyone",
  maxBody: 8192,
  body: z.object({ answer: field("Antwort des Anmeldedienstes", z.string().check(z.maxLength(4096))) }),
  reply: z.object({
    purpose: z.enum(oidcPurposes),
    return_to: z.string(),
    /**
     * The member who is now logged in; `null` if the person must still register, and after a link
     * or confirmation.
     */
    user: z.nullable(user),
    /**
     * Suggested fields of the account that registerWithOidc creates; `null` if no new account is
     * needed.
     */
    registration: z.nullable(z.object({ uname: z.string(), name: z.string(), email: z.string() })),
  }),
});

/**
 * Ends the sessions that a logout token of the provider names (OpenID Connect Back-Channel Logout 1.0). The provider
 * signs the token, so the call needs no CSRF token.
 */
export const endOidcSessions = endpoint("POST /api/oidc/logout", {
  who: "everyone",
  csrf: "none",
  // One address sends the logouts of all members.
  perMinute: 600,
  maxBody: 8192,
  acceptsForm: true,
  body: z.object({ logout_token: field("Logout-Token", z.string().check(z.maxLength(8000))) }),
  reply: z.object({}),
});

/** Registers the person who has just logged in at the provider, and logs in the new member. */
export const registerWithOidc = endpoint("POST /api/oidc/register", {
  who: "everyone",
  maxBody: 4096,
  body: z.object({ uname, name: memberName, email }),
  reply: z.object({ user }),
  status: 201,
});

/** The identity that is linked with the member's account. Times in ISO 8601; `last_used_at` is `null` before the first login. */
export const linkedIdentity = z.object({ created_at: z.string(), last_used_at: z.nullable(z.string()) });

export const getOidcLink = endpoint("GET /api/user/oidc", {
  who: "member",
  reply: z.object({
    identity: z.nullable(linkedIdentity),
    /** `false` if the account was created with OpenID and no password was set since. */
    has_password: z.boolean(),
  }),
});

/**
 * Starts linking: the member then logs in at the provider, and that identity is linked with the
 * account.
 */
export const startOidcLink = endpoint("POST /api/user/oidc", {
  who: "member",
  needsRecentPassword: true,
  reply: providerAddress,
});

/** Removes the linked identity; 422 if it is the only way to log in. */
export const removeOidcLink = endpoint("DELETE /api/user/oidc", {
  who: "member",
  needsRecentPassword: true,
  reply: fixedMessage("Verbindung getrennt."),
});

/**
 * Address of the provider's logout page; `null` if this session did not begin with OpenID, or if the
 * provider has no such page.
 */
export const getOidcLogout = endpoint("GET /api/user/oidc/logout", {
  who: "member",
  reply: z.object({ url: z.nullable(z.string().check(z.regex(/^https?:\/\//))) }),
});

/** Starts a confirmation, which counts like the current password: the provider asks the member to log in again. */
export const startOidcConfirmation = endpoint("POST /api/user/confirmOidc", {
  who: "member",
  perMinute: 10,
  maxBody: 4096,
  body: z.object({ return_to: returnTo }),
  reply: providerAddress,
});
