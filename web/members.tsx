import type { ReactNode } from "react";

import { BackgroundEffects, createBackgroundEffect, type BackgroundEffect } from "./platform/background-effects.tsx";
import { ConfirmArea } from "./platform/confirm.tsx";
import { useNewDay } from "./platform/new-day.ts";
import { PasswordConfirm } from "./platform/password-confirm.tsx";
import { useRealtimeConnection } from "./platform/realtime-connection.ts";
import { AccountMenu } from "./platform/shell/account-menu.tsx";
import { NotificationQuestion } from "./platform/shell/notification-question.tsx";

/** Each feature says in its own background.ts what runs beside the pages. */
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

/** Everything that only members need on every page; main.tsx fetches it for them. */
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
