import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Navigate, useParams } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useState, type ReactNode } from "react";

import { leaveParty, type ShownParty } from "#contract/party.ts";
import { ApiError, call } from "#web/client/api.ts";
import { reload } from "#web/client/queries.ts";
import { partyKeys, useJoinParty } from "#web/features/beers/api.ts";
import { MatCounts, MatCountsSkeleton } from "#web/features/beers/mat-counts.tsx";
import { describeSum } from "#web/features/beers/party-rules.ts";
import { Ranking } from "#web/features/beers/ranking.tsx";
import { confirm } from "#web/page/confirm.tsx";
import { BackLink } from "#web/page/links.tsx";
import { useGroup, useMember } from "#web/page/session.ts";
import { BeerMat, MatMessage } from "#web/ui/beer-mat.tsx";
import { Button, QuietAction } from "#web/ui/button.tsx";
import { Card, Cards } from "#web/ui/card.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Page } from "#web/ui/layout.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { Strip } from "#web/ui/strip.tsx";
import { Hint } from "#web/ui/text.tsx";
import { useParty } from "./api.ts";
import { AskingGuests } from "./party-guests.tsx";
import { ManageParty, RenameParty } from "./party-management.tsx";
import styles from "./party-page.module.css";
import * as rules from "./rules.ts";
import { openStory } from "./stories.tsx";
import { TablePhotos } from "./table-photo.tsx";

export function PartyPage(): ReactNode {
  const { id } = useParams({ from: "/party/$id" });
  return <PartyView key={id} id={id} />;
}

/** For those who are not there, and after the party. The counter is the screen of the others. */
function PartyView({ id }: { id: number }): ReactNode {
  const query = useParty(id);
  const isThere = query.data?.is_running === true && query.data.is_member;
  const data = isThere ? undefined : query.data;
  const [wasOutside, setWasOutside] = useState(false);
  if (data && !wasOutside) setWasOutside(true);
  // The party may have ended since the stored reply.
  if (isThere && query.isFetchedAfterMount) {
    return <Navigate to="/beercounter" replace state={wasOutside ? {} : { party: id }} />;
  }
  const isPending = data === undefined && query.error === null;
  const name = data?.name ?? "Party";
  const isGone = query.error instanceof ApiError && query.error.status === 404;
  return (
    // Browsers do not report inserted elements as a layout shift.
    <Page title={<span key={name}>{name}</span>} aria-busy={isPending}>
      <BackLink to="/party">Partys</BackLink>
      {isGone ? (
        <MatMessage>Diese Party gibt es nicht mehr.</MatMessage>
      ) : (
        <Cards>
          {data && data.asking_guests.length > 0 && <AskingGuests party={data} />}
          <div className={styles["party"]} data-loading={isPending || undefined}>
            <Mat query={{ ...query, data }} />
            {data && <Hint className={styles["people"]}>{rules.describePeople(data)}</Hint>}
            {data?.is_home && <LeaveAction id={id} />}
            {data && rules.hasStory(data) && (
              <Strip title="So war der Abend" text="Die Geschichte zum Durchtippen." onClick={() => openStory(id)} />
            )}
          </div>
          {data && rules.listRanked(data).length > 0 && (
            <StatsCard title="Die Säufer" query={query} content="ranking" columns={5}>
              {(party) => <Ranking drinkers={rules.listRanked(party)} emptyText={rules.emptyTexts(party).ranking} />}
            </StatsCard>
          )}
          {data && rules.hasPhotos(data) && (
            <div className={styles["photos"]}>
              <Card>
                <TablePhotos party={data} Heading="h2" />
              </Card>
            </div>
          )}
          {data?.is_manager && <Management party={data} />}
        </Cards>
      )}
    </Page>
  );
}

type PartyQuery = Pick<ReturnType<typeof useParty>, "errorUpdateCount" | "isFetching" | "refetch"> & {
  readonly data: ShownParty | undefined;
};

function Mat({ query }: { query: PartyQuery }): ReactNode {
  const user = useMember();
  const { time_zone } = useGroup();
  const { data } = query;
  return (
    <section className={styles["card"]} aria-label="Party">
      <div className={styles["above"]}>
        {data && <p className={styles["times"]}>{rules.describeTimes(data, time_zone)}</p>}
      </div>
      <div className={styles["mat"]}>
        <BeerMat shape="round">
          <QueryState
            query={query}
            failedText="Die Party konnte gerade nicht geladen werden."
            skeleton={<MatCountsSkeleton label="Biere" />}
          >
            {(party) => (
              <MatCounts
                label={party.total === 1 ? "Bier" : "Biere"}
                total={party.total}
                sum={describeSum(party)}
                name={user?.name}
                own={party.own_total}
              >
                {rules.emptyTexts(party).own}
              </MatCounts>
            )}
          </QueryState>
        </BeerMat>
      </div>
      {data?.is_running && <JoinButton party={data} />}
    </section>
  );
}

/** Waits for a click, because link previews open the page, too, and must not join. */
function JoinButton({ party }: { party: ShownParty }): ReactNode {
  const { mutate: join, isPending } = useJoinParty();
  return (
    <div className={styles["join"]}>
      <Button kind="primary" isWide isBusy={isPending} onClick={() => join(party)}>
        <UserPlus size={24} />
        {party.is_home ? "Wieder dabei" : "Dabei sein"}
      </Button>
    </div>
  );
}

function LeaveAction({ id }: { id: number }): ReactNode {
  const queries = useQueryClient();
  const { mutate: leave } = useMutation({
    async mutationFn() {
      const isAgreed = await confirm({
        title: "Doch nicht dabei",
        text: "Alle deine Biere verschwinden aus der Party, im Bier-Counter bleiben sie.",
        action: "Doch nicht dabei",
        kind: "danger",
      });
      if (!isAgreed) return undefined;
      const { message } = await call(leaveParty, { params: { id } });
      await reload(queries, ...partyKeys);
      return message;
    },
  });
  return (
    <QuietAction className={styles["action"]} data-guarded onClick={() => leave()}>
      Doch nicht dabei
    </QuietAction>
  );
}

function Management({ party }: { party: ShownParty }): ReactNode {
  const [isRenaming, setRenaming] = useState(false);
  return (
    <div className={styles["manager"]}>
      <ManageParty party={party} onRename={() => setRenaming(true)} />
      <Dialog title="Party umbenennen" isOpen={isRenaming} onClose={() => setRenaming(false)}>
        <RenameParty party={party} onClose={() => setRenaming(false)} />
      </Dialog>
    </div>
  );
}
