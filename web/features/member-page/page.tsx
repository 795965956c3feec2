import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { User } from "#contract/members.ts";
import { ApiError } from "#web/data/api.ts";
import { ButtonLink } from "#web/router/button-link.tsx";
import { useSession } from "#web/session/session.ts";
import { CardErrorBoundary } from "#web/ui/card-error-boundary.tsx";
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
import { titleOf } from "./rules.ts";

/** Shows the member page of the logged-in member. */
export function OwnPage(): ReactNode {
  const { user } = useSession();
  return user && <MemberView id={user.id} user={user} />;
}

/** Shows the member page of the member whose id is in the address. */
export function MemberPage(): ReactNode {
  const { user } = useSession();
  const { id } = useParams({ from: "/members/$id" });
  return user && <MemberView key={id} id={id} user={user} />;
}

function MemberView({ id, user }: { id: number; user: User }): ReactNode {
  const isOwn = id === user.id;
  const query = useMemberPage(id, isOwn);
  const { data, error } = query;
  const title = titleOf(isOwn, data?.name);
  if (error instanceof ApiError && error.status === 404) return <HiddenMat />;
  return (
    // The key remounts the title when it changes, because browsers do not report inserted elements
    // as a layout shift.
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
                <CardErrorBoundary>
                  <RoundBeersCard page={page} isOwn={isOwn} />
                </CardErrorBoundary>
                <CardErrorBoundary>
                  <PartiesCard page={page} isOwn={isOwn} />
                </CardErrorBoundary>
                <CardErrorBoundary>
                  <CalendarCard page={page} isOwn={isOwn} />
                </CardErrorBoundary>
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

/**
 * Shows the same message for unknown, paused and hidden members, so that viewers cannot tell these
 * cases apart.
 */
function HiddenMat(): ReactNode {
  return (
    <MatMessage below={<ButtonLink href="/beercounter">Zum Bier-Counter</ButtonLink>}>
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
