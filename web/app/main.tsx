import { RouterProvider } from "@tanstack/react-router";
import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { user } from "#contract/members.ts";
import { readMemberItem } from "#web/client/storage.ts";
import { trackInstallPrompt } from "#web/page/install.ts";
import { openClickedNotifications, registerServiceWorker } from "#web/page/service-worker.ts";
import { trackWindowSize } from "#web/page/window-size.ts";
import { guardTaps } from "#web/ui/tap-guard.ts";
import { isAllowed } from "./route-rules.ts";
import { createAppRouter } from "./router.ts";
import { startSession } from "./session.ts";

/** Fetching all files of the app would delay the first page. */
const firstPageMs = 3000;

trackWindowSize();
trackInstallPrompt();
revealFocus();
guardTaps();
const router = createAppRouter();
openClickedNotifications((href) => router.history.push(href));
// A top-level await would deadlock, because the pages import from this chunk.
void start();

async function start(): Promise<void> {
  preloadPage();
  await startSession(router);
  await router.load();
  const root = createRoot(document.querySelector("#root")!);
  // In slices, between which the browser answers to taps.
  startTransition(() =>
    root.render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
  setTimeout(() => void registerServiceWorker(), firstPageMs);
}

/** Beside the login status, because on a phone each round trip to the server counts. */
function preloadPage(): void {
  const [, , route] = router.getMatchedRoutes(router.latestLocation.pathname);
  const { component, staticData } = route?.options ?? {};
  const known = readMemberItem("user", user);
  if (staticData?.who && isAllowed(staticData.who, known)) void component?.preload?.();
}

/**
 * Keeps elements focused with the Tab key clear of the header: WebKit scrolls only to a field's caret, and Chromium
 * ignores partly visible elements. After a click, scrolling would move elements under the mouse.
 */
function revealFocus(): void {
  addEventListener("keyup", ({ code }) => {
    if (code === "Tab") document.activeElement?.scrollIntoView({ block: "nearest" });
  });
}
