import { QrCode, UserPlus } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { ShownParty } from "#contract/party.ts";
import { ApiError } from "#web/data/api.ts";
import { useAction } from "#web/forms/use-action.ts";
import { BackLink } from "#web/router/back-link.tsx";
import { useGroup, useSession } from "#web/session/session.ts";
import { TapMat } from "#web/shared/beers/tap-mat.tsx";
import { MatCounts, MatCountsSkeleton } from "#web/shared/mat-counts.tsx";
import { useJoinParty } from "#web/shared/parties/queries.ts";
import { describeSum, partyPath } from "#web/shared/parties/rules.ts";
import { Ranking } from "#web/shared/ranking.tsx";
import { ShareLink } from "#web/shell/share-link.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";
import { Cards } from "#web/ui/card.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Page, Stack } from "#web/ui/layout.tsx";
import { MatMessage } from "#web/ui/mat-message.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { useParty } from "../queries.ts";
import * as rules from "../rules.ts";
import { GuestsCard } from "./guests-card.tsx";
import { LastTaps } from "./last-taps.tsx";
import { PartyQuestions } from "./party-questions.tsx";
import styles from "./party-view.module.css";
import { RecapCard } from "./recap-card.tsx";

/** Shows the live counts of a running party, or the recap of an ended party. */
export function PartyView({ id }: { id: number }): ReactNode {
  const query = useParty(id);
  const { data, error } = query;
  const name = data?.name ?? "Party";
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    // The key remounts the title when the party is renamed, because browsers do not report inserted
    // elements as a layout shift.
    <Page title={<span key={name}>{name}</span>} aria-busy={query.isPending}>
      <BackLink href="/party">Partys</BackLink>
      {isGone ? (
        <MatMessage>Diese Party gibt es nicht mehr.</MatMessage>
      ) : (
        <Cards>
          <div className={styles["party"]} data-loading={query.isPending || undefined}>
            <Mat query={query} />
            {data && <Details party={data} />}
          </div>
          {data && rules.listRanked(data).length > 0 && (
            <StatsCard title="Die Säufer" query={query} content="ranking" columns={5}>
              {(party) => <Ranking drinkers={rules.listRanked(party)} emptyText={rules.emptyTexts(party).ranking} />}
            </StatsCard>
          )}
          {data?.is_running && (data.is_member || data.guests.length > 0) && <GuestsCard party={data} />}
          {data?.is_running && data.is_member && <LastTaps taps={data.taps} />}
          {data?.recap && <RecapCard party={data} recap={data.recap} />}
          {/* At the end of the page, away from the place of the button that started the party. */}
          {data && (
            <div className={styles["manager"]}>
              <PartyQuestions party={data} of="manager" />
            </div>
          )}
        </Cards>
      )}
    </Page>
  );
}

/** Shows the party's counts on a beer mat, with a button that counts a beer or joins the party. */
function Mat({ query }: { query: ReturnType<typeof useParty> }): ReactNode {
  const { user } = useSession();
  const { time_zone } = useGroup();
  const { data } = query;
  const times = data && <p className={styles["times"]}>{rules.describeTimes(data, time_zone)}</p>;
  const counts = (
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
  );
  if (data?.is_running && data.is_member) {
    return (
      <TapMat label="Party" above={times}>
        {counts}
      </TapMat>
    );
  }
  return (
    <section className={styles["card"]} aria-label="Party">
      <div className={styles["above"]}>{times}</div>
      <div className={styles["mat"]}>
        <BeerMat shape="round">{counts}</BeerMat>
      </div>
      {data?.is_running && <JoinButton party={data} />}
    </section>
  );
}

/**
 * Joins the party only on a click. Opening the page must not join, because link previews open it,
 * too.
 */
function JoinButton({ party }: { party: ShownParty }): ReactNode {
  const { run, isPending } = useAction(useJoinParty());
  return (
    <div className={styles["join"]}>
      <Button kind="primary" isWide isBusy={isPending} onClick={() => void run(party)}>
        <UserPlus size={24} />
        {party.is_home ? "Wieder dabei" : "Dabei sein"}
      </Button>
    </div>
  );
}

function Details({ party }: { party: ShownParty }): ReactNode {
  return (
    <Stack gap={3} data-align="center" className={styles["details"]}>
      {party.is_running && <Invitation party={party} />}
      <Hint>{rules.describePeople(party)}</Hint>
      <PartyQuestions party={party} of="member" />
    </Stack>
  );
}

function Invitation({ party: { id } }: { party: ShownParty }): ReactNode {
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <Button onClick={() => setInviting(true)}>
        <QrCode size={20} />
        Einladen
      </Button>
      <Dialog title="Einladen" isOpen={isInviting} onClose={() => setInviting(false)}>
        <ShareLink url={new URL(partyPath(id), location.origin).href} title="Party" onClose={() => setInviting(false)}>
          <p>Wer Mitglied ist und den Link öffnet, kommt mit „Dabei sein“ dazu.</p>
        </ShareLink>
      </Dialog>
    </>
  );
}
