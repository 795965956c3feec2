import { QrCode, UserPlus } from "lucide-react";
import { useState, type ReactNode } from "react";

import { joinParty, type ShownParty } from "#contract/party.ts";
import { ApiError, call } from "#web/platform/api.ts";
import { BackLink } from "#web/platform/back-link.tsx";
import { Ranking, rankingHeight } from "#web/platform/ranking.tsx";
import { useGroup, useSession } from "#web/platform/session.ts";
import { ShareLink } from "#web/platform/share-link.tsx";
import { useMutation } from "#web/platform/use-mutation.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Columns, Page, Row, Stack } from "#web/ui/layout.tsx";
import { MatCounts, MatCountsSkeleton } from "#web/ui/mat-counts.tsx";
import { MatMessage } from "#web/ui/mat-message.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { reloadParties, useParty } from "../queries.ts";
import * as rules from "../rules.ts";
import { GuestsCard } from "./guests-card.tsx";
import { PartyQuestions } from "./party-questions.tsx";
import styles from "./party-view.module.css";
import { RecapCard } from "./recap-card.tsx";

/** A party: live while it is running, and its recap afterwards. */
export function PartyView({ id }: { id: number }): ReactNode {
  const query = useParty(id);
  const { data, error } = query;
  const name = data?.name ?? "Party";
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    // Another name is another element, which does not move.
    <Page title={<span key={name}>{name}</span>} aria-busy={query.isPending}>
      <BackLink href="/party">Partys</BackLink>
      {isGone ? (
        <MatMessage>Diese Party gibt es nicht mehr.</MatMessage>
      ) : (
        <Columns>
          <section className={styles["party"]} aria-label="Party" data-loading={query.isPending || undefined}>
            <Mat query={query} />
            {data && <Details party={data} />}
          </section>
          {data && rules.listRanked(data).length > 0 && (
            <StatsCard title="Die Säufer" query={query} height={rankingHeight} columns={5}>
              {(party) => <Ranking drinkers={rules.listRanked(party)} emptyText={rules.emptyTexts(party).ranking} />}
            </StatsCard>
          )}
          {data?.is_running && (data.is_member || data.guests.length > 0) && <GuestsCard party={data} />}
          {data?.recap && <RecapCard party={data} recap={data.recap} />}
        </Columns>
      )}
    </Page>
  );
}

function Mat({ query }: { query: ReturnType<typeof useParty> }): ReactNode {
  const { user } = useSession();
  return (
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
              name={user?.name}
              own={party.own_total}
            >
              {rules.emptyTexts(party).own}
            </MatCounts>
          )}
        </QueryState>
      </BeerMat>
    </div>
  );
}

function Details({ party }: { party: ShownParty }): ReactNode {
  const { time_zone } = useGroup();
  return (
    <Stack gap={3} data-align="center" className={styles["details"]}>
      {party.is_running && <Actions party={party} />}
      <p>{rules.describeTimes(party, time_zone)}</p>
      <Hint>{rules.describePeople(party)}</Hint>
      <PartyQuestions party={party} />
    </Stack>
  );
}

/** Opening the page joins nobody: links are opened by previews, too. */
function Actions({ party: { id, is_member } }: { party: ShownParty }): ReactNode {
  const [isInviting, setInviting] = useState(false);
  const join = useMutation(async () => {
    const { message } = await call(joinParty, { params: { id } });
    await reloadParties();
    return message;
  });
  return (
    <Row data-justify="center">
      {!is_member && (
        <Button kind="primary" isBusy={join.isPending} onClick={() => void join.run()}>
          <UserPlus size={20} />
          Dabei sein
        </Button>
      )}
      <Button onClick={() => setInviting(true)}>
        <QrCode size={20} />
        Einladen
      </Button>
      <Dialog title="Einladen" isOpen={isInviting} onClose={() => setInviting(false)}>
        <ShareLink
          url={new URL(rules.partyPath(id), location.origin).href}
          title="Party"
          onClose={() => setInviting(false)}
        >
          <p>Wer Mitglied ist und den Link öffnet, kommt mit „Dabei sein“ dazu.</p>
        </ShareLink>
      </Dialog>
    </Row>
  );
}
