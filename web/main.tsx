import { RouterProvider } from "@tanstack/react-router";
import { startTransition, StrictMode, Suspense, use, type ReactNode } from "react";
import { createRoot } from "react-dom/client";

import { Handover } from "./handover.tsx";
import type { MemberParts } from "./members.tsx";
import { trackInstallPrompt } from "./pwa/install.ts";
import { loadWithRetries } from "./pwa/newer-version.ts";
import { openClickedNotifications, registerServiceWorker } from "./pwa/service-worker.ts";
import { createAppRouter } from "./router.tsx";
import { pageHistory } from "./router/navigation.ts";
import { firstPageTime, preloadCode } from "./router/preload.ts";
import { startSession } from "./session/session.ts";
import { revealFocus } from "./shell/reveal-focus.ts";
import { trackWindowSize } from "./shell/window-size.ts";
import { guardTaps } from "./ui/tap-guard.ts";

trackWindowSize();
trackInstallPrompt();
openClickedNotifications();
revealFocus();
guardTaps();
const router = createAppRouter(pageHistory, { MemberPart: ForMembers });
// A top-level await would deadlock, because the pages import from this chunk.
void start();

/**
 * Waits for the session, so that no page is shown that the visitor may not open. Also waits for the
 * page's code, because React would otherwise show its fallback for at least 300 ms.
 */
async function start(): Promise<void> {
  await loadFirstPage();
  const root = createRoot(document.querySelector("#root")!);
  // Renders in small slices (startTransition), because the page's HTML from the server is already
  // visible and must stay responsive.
  startTransition(() =>
    root.render(
      <StrictMode>
        <RouterProvider router={router} />
        <Handover />
      </StrictMode>,
    ),
  );
  // Delays the service worker, because it fetches all files of the app.
  setTimeout(() => void registerServiceWorker(), firstPageTime);
}

async function loadFirstPage(): Promise<void> {
  void preloadCode(router, location.pathname);
  const user = await startSession();
  await Promise.all([
    router.load(),
    // If the member parts cannot be fetched, shows the page without them and retries in
    // loadMemberParts().
    user !== null && importMemberParts().catch(() => undefined),
  ]);
}

function ForMembers({ part }: { part: keyof MemberParts }): ReactNode {
  return (
    <Suspense>
      <MemberPart part={part} />
    </Suspense>
  );
}

function MemberPart({ part }: { part: keyof MemberParts }): ReactNode {
  const Part = (memberParts ?? use(loadMemberParts()))[part];
  return <Part />;
}

let memberParts: MemberParts | undefined;
let loading: Promise<MemberParts> | undefined;

function loadMemberParts(): Promise<MemberParts> {
  return (loading ??= loadWithRetries(importMemberParts));
}

async function importMemberParts(): Promise<MemberParts> {
  return (memberParts = (await import("./members.tsx")).memberParts);
}
