import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { field } from "./labels.ts";

/** Four digits, which a tablet asks for before it books a beer for the member. */
export const pin = z.string().check(z.regex(/^\d{4}$/, "notAPin"));

/** The ways in which others may book a beer for a member. */
export const tapSettings = z.object({
  is_on_tablets: z.boolean(),
  /** `true` if other members may book a beer for this member. */
  is_tappable: z.boolean(),
  has_pin: z.boolean(),
});
export type TapSettings = z.output<typeof tapSettings>;

export const getTapSettings = endpoint("GET /api/user/tap-settings", { who: "member", reply: tapSettings });

/** Changes the fields that are present. A `pin` of `null` removes the PIN. */
export const saveTapSettings = endpoint("POST /api/user/tap-settings", {
  who: "member",
  body: z.object({
    is_on_tablets: field("An Zapfstellen", z.optional(z.boolean())),
    is_tappable: field("Striche von anderen", z.optional(z.boolean())),
    pin: field("PIN", z.optional(z.nullable(pin))),
  }),
  reply: tapSettings,
});
