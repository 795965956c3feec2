import type { ReactNode } from "react";

import { useNewDay } from "./data/new-day.ts";
import { useRealtimeConnection } from "./data/realtime-connection.ts";
import { ConfirmArea } from "./forms/confirm.tsx";
import { PasswordConfirm } from "./session/password-confirm.tsx";
import { AccountMenu } from "./shell/account-menu.tsx";
import { BackgroundEffects, createBackgroundEffect, type BackgroundEffect } from "./shell/background-effects.tsx";
import { NotificationQuestion } from "./shell/notification-question.tsx";

/** Background effects of all features, from their background.ts. */
const features = Object.values(
  import.meta.glob<readonly BackgroundEffect[]>("./features/*/background.ts", {
    eager: true,
    import: "backgroundEffects",
  }),
);

const all = [
  createBackgroundEffect("realtime", "member", useRealtimeConnection),
  createBackgroundEffect("new-day", "member", useNewDay),
  ...features.flat(),
];

/**
 * Components that every page shows to members only. In a separate file, which main.tsx fetches only
 * for members.
 */
export const memberParts = { AccountMenu, NotificationQuestion, Background };

export type MemberParts = typeof memberParts;

function Background(): ReactNode {
  return (
    <>
      <BackgroundEffects all={all} />
      <PasswordConfirm />
      <ConfirmArea />
    </>
  );
}
