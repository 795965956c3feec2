import type { ReactNode } from "react";

import type { User } from "#contract/members.ts";
import { ApiError } from "#web/platform/api.ts";
import { useSearch } from "#web/platform/location.ts";
import { PageLink } from "#web/platform/page-link.tsx";
import { useSession } from "#web/platform/session.ts";
import button from "#web/ui/button.module.css";
import { Card } from "#web/ui/card.tsx";
import { Page, Stack } from "#web/ui/layout.tsx";
import { MatMessage } from "#web/ui/mat-message.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { CalendarCard } from "./components/calendar-card.tsx";
import { MemberMat } from "./components/member-mat.tsx";
import { PartiesCard } from "./components/parties-card.tsx";
import { PresenceCard } from "./components/presence-card.tsx";
import { RoundBeersCard } from "./components/round-beers-card.tsx";
import styles from "./page.module.css";
import { useMemberPage } from "./queries.ts";
import { parseMemberId, titleOf } from "./rules.ts";

/** The page of the logged-in member, or of the member in the address as others see it. */
export function MemberPage(): ReactNode {
  const { user } = useSession();
  const search = useSearch();
  if (user === null) return null;
  const id = parseMemberId(search) ?? user.id;
  return <MemberView key={id} id={id} user={user} />;
}

function MemberView({ id, user }: { id: number; user: User }): ReactNode {
  const isOwn = id === user.id;
  const query = useMemberPage(id, isOwn);
  const { data, error } = query;
  const title = titleOf(isOwn, data?.name);
  if (error instanceof ApiError && error.status === 404) return <HiddenMat />;
  return (
    // Another title is another element, which does not move.
    <Page title={<span key={title}>{title}</span>} aria-busy={query.isPending}>
      <div className={styles["columns"]} data-own={isOwn || undefined}>
        <MemberMat query={query} isOwn={isOwn} face={isOwn ? user : data} />
        <Stack gap={5} className={styles["cards"]} data-loading={query.isPending || undefined}>
          <QueryState
            query={query}
            failedText="Der Deckel konnte gerade nicht geladen werden."
            skeleton={<CardsSkeleton />}
            isPage
          >
            {(page) => (
              <>
                <RoundBeersCard page={page} isOwn={isOwn} />
                <PartiesCard page={page} isOwn={isOwn} />
                <CalendarCard page={page} isOwn={isOwn} />
              </>
            )}
          </QueryState>
        </Stack>
        {isOwn && (
          <div className={styles["settings"]}>
            <Card>
              <PresenceCard user={user} />
            </Card>
          </div>
        )}
      </div>
    </Page>
  );
}

/** Says the same of an unknown member, a pause and a page that its member hides. */
function HiddenMat(): ReactNode {
  return (
    <MatMessage
      below={
        <PageLink href="/beercounter" className={button["button"]}>
          Zum Bier-Counter
        </PageLink>
      }
    >
      <h1>Kein Deckel</h1>
      <p>Hier liegt gerade keiner.</p>
    </MatMessage>
  );
}

function CardsSkeleton(): ReactNode {
  return (
    <>
      <Card>
        <Skeleton lines={3} />
      </Card>
      <Card>
        <Skeleton lines={3} />
      </Card>
    </>
  );
}
