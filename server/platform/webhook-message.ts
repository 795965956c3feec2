/**
 * Contains only the ids of members. Their names are added when the message is sent, except for members who do not want
 * to appear.
 */
export type WebhookMessage =
  | {
      readonly event: "beers";
      readonly beers: readonly { readonly userId: number; readonly count: number }[];
      /** All beers of the group. */
      readonly total: number;
    }
  | {
      readonly event: "milestone";
      readonly kind: "group" | "member";
      readonly count: number;
      readonly userId: number | null;
    }
  | {
      readonly event: "party";
      readonly change: "started" | "ended";
      readonly name: string;
      readonly userId: number | null;
    }
  | {
      readonly event: "game-server";
      /** German sentence without the name of the member. */
      readonly message: string;
      readonly userId: number | null;
    }
  | {
      readonly event: "calendar-door";
      /** Like `2026-12-03`. */
      readonly date: string;
      /** First member who opened the door. */
      readonly userId: number;
    };
