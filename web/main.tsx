import { startTransition, StrictMode, Suspense, use, useDeferredValue, useEffect, type ReactNode } from "react";

import type { MemberParts } from "./members.tsx";
import { trackInstallPrompt } from "./platform/install.ts";
import { trackHistory, usePath } from "./platform/location.ts";
import { loadWithRetries } from "./platform/newer-version.ts";
import { PageView } from "./platform/page-view.tsx";
import { findRoute, firstPageTime, preload, preloadWhenIdle, RoutesContext, useFindRoute } from "./platform/pages.ts";
import { revealFocus } from "./platform/reveal-focus.ts";
import { resolveRoute } from "./platform/route-rules.ts";
import { followTappedNotifications, registerServiceWorker } from "./platform/service-worker.ts";
import { forgetMember, startSession, useSession } from "./platform/session.ts";
import { Shell } from "./platform/shell/shell.tsx";
import { trackWindowSize } from "./platform/window-size.ts";
import { denied, notFound, routes } from "./routes.tsx";
import "./ui/base.css";
import "./ui/tokens.css";

trackWindowSize();
trackInstallPrompt();
followTappedNotifications();
revealFocus();
// No top-level await: the pages import from this chunk, and would wait for it while it waits for them.
void start();

/**
 * Nothing is shown before it is known who is there, so that no page appears that is taken away again; nor before the page's
 * code is there, since React shows for 300 ms whatever it shows instead.
 */
async function start(): Promise<void> {
  await preloadFirstPage();
  trackHistory();
  // Its first lines take a while, on a phone too long beside those of the app.
  const { createRoot } = await import("react-dom/client");
  const root = createRoot(document.querySelector("#root")!);
  // In slices, since the skeleton is on the screen meanwhile.
  startTransition(() =>
    root.render(
      <StrictMode>
        <RoutesContext value={routes}>
          <App />
        </RoutesContext>
      </StrictMode>,
    ),
  );
  // It fetches every file of the app, and the first page comes first.
  setTimeout(() => void registerServiceWorker(), firstPageTime);
}

async function preloadFirstPage(): Promise<void> {
  const { pathname, search } = location;
  const atAddress = findRoute(routes, pathname);
  if (atAddress !== undefined) void preload(atAddress.page);
  const user = await startSession();
  const { route } = resolveRoute((path) => findRoute(routes, path), user, pathname + search);
  await Promise.all([
    route !== undefined && preload(route.page),
    // Where that fails, the page is shown without it until it is there.
    user !== null && importMemberParts().catch(() => undefined),
  ]);
}

function App(): ReactNode {
  const { user } = useSession();
  const path = usePath();
  const isBare = useFindRoute()(path)?.isBare === true;
  // What runs beside the pages begins after the first of them.
  const isPageThere = useDeferredValue(true, false);
  useEffect(() => {
    if (user === null) forgetMember();
    return preloadWhenIdle(routes, user);
  }, [user]);
  if (isBare) return <PageView denied={denied} notFound={notFound} />;
  return (
    <>
      <Shell
        account={user !== null && <ForMembers part="AccountMenu" />}
        question={user !== null && <ForMembers part="NotificationQuestion" />}
      >
        <PageView denied={denied} notFound={notFound} />
      </Shell>
      {user !== null && isPageThere && <ForMembers part="Background" />}
    </>
  );
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
