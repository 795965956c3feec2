import { QueryClientProvider } from "@tanstack/react-query";
import { Outlet, useMatches, useRouter } from "@tanstack/react-router";
import { Suspense, useDeferredValue, useEffect, type ReactNode } from "react";

import { lazyPart } from "#web/page/newer-version.ts";
import { useClient, useMember } from "#web/page/session.ts";
import { PageFrame, usePageTitle } from "./page-frame.tsx";
import { Shell } from "./shell.tsx";

export const loadLive = () => import("./live.tsx");

const Live = lazyPart(async () => (await loadLive()).Live);

/** A login and a logout replace everything in it. */
export function Root(): ReactNode {
  const { queries, member } = useClient();
  return (
    <QueryClientProvider key={member.get()?.id ?? "guest"} client={queries}>
      <Layout />
    </QueryClientProvider>
  );
}

function Layout(): ReactNode {
  const router = useRouter();
  const isMember = useMember() !== null;
  const isBare = useMatches({ select: (matches) => matches.at(-1)?.staticData.isBare === true });
  // The parts beside the page start after the first page has been rendered.
  const isPageThere = useDeferredValue(true, false);
  usePageTitle();
  useEffect(() => {
    // A clicked notification may have navigated before the router listened.
    if (router.state.location.href !== router.history.location.href) void router.load();
  }, [router]);
  if (isBare) return <Outlet />;
  return (
    <>
      <Shell>
        <PageFrame>
          <Outlet />
        </PageFrame>
      </Shell>
      <Suspense>{isMember && isPageThere && <Live />}</Suspense>
    </>
  );
}
