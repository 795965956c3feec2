import { createRootRouteWithContext, Outlet, useMatches, useRouter } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useRef, type ComponentType, type ReactNode } from "react";

import { forgetMember, useSession } from "#web/session/session.ts";
import { Shell } from "#web/shell/shell.tsx";
import { preloadWhenIdle } from "./preload.ts";

export interface RootContext {
  /** Renders a part of the app that only members see. */
  readonly MemberPart: ComponentType<{ part: "AccountMenu" | "NotificationQuestion" | "Background" }>;
}

/** The root route, whose component is the layout of all pages. */
export const rootRoute = createRootRouteWithContext<RootContext>()({ component: Root });

function Root(): ReactNode {
  const { MemberPart } = rootRoute.useRouteContext();
  const { user } = useSession();
  const router = useRouter();
  const isBare = useMatches({ select: (matches) => matches.at(-1)?.staticData.isBare === true });
  // Background effects start after the first page has been rendered.
  const isPageThere = useDeferredValue(true, false);
  useEffect(() => {
    if (user === null) forgetMember();
    return preloadWhenIdle(Object.values(router.routesById), user);
  }, [user, router]);
  useEffect(() => {
    // Applies a navigation that happened before the router listened, e.g. by a clicked
    // notification.
    if (router.state.location.href !== router.history.location.href) void router.load();
  }, [router]);
  useGuardsAfterChange(user && `${user.id} ${user.permissions.join(" ")}`);
  if (isBare) return <Outlet />;
  return (
    <>
      <Shell
        account={user !== null && <MemberPart part="AccountMenu" />}
        question={user !== null && <MemberPart part="NotificationQuestion" />}
      >
        <Outlet />
      </Shell>
      {user !== null && isPageThere && <MemberPart part="Background" />}
    </>
  );
}

/**
 * Runs the current page's guard again after a login, a logout (even in another tab) or a change of
 * permissions.
 */
function useGuardsAfterChange(visitor: string | null): void {
  const router = useRouter();
  const guarded = useRef(visitor);
  useEffect(() => {
    if (guarded.current === visitor) return;
    guarded.current = visitor;
    void router.invalidate();
  }, [visitor, router]);
}
