import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { ImageDown, QrCode, UserPlus } from "lucide-react";
import { Suspense, useId, useState, type ReactNode } from "react";

import type { PartyRecap } from "#contract/party-recap.ts";
import {
  deleteParty,
  endParty,
  goHomeFromParty,
  leaveParty,
  partyLimits,
  renameParty,
  type ShownParty,
} from "#contract/party.ts";
import { ApiError, call } from "#web/client/api.ts";
import { reload } from "#web/client/queries.ts";
import { partyKeys, useJoinParty } from "#web/features/beers/api.ts";
import { MatCounts, MatCountsSkeleton } from "#web/features/beers/mat-counts.tsx";
import { describeSum } from "#web/features/beers/party-rules.ts";
import { Ranking } from "#web/features/beers/ranking.tsx";
import { TapMat } from "#web/features/beers/tap-mat.tsx";
import { Confirm } from "#web/page/confirm.tsx";
import { formFor } from "#web/page/form.tsx";
import { BackLink } from "#web/page/links.tsx";
import { lazyPart } from "#web/page/newer-version.ts";
import { useGroup, useMember } from "#web/page/session.ts";
import { AreaCurve } from "#web/ui/area-curve.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat, MatMessage } from "#web/ui/beer-mat.tsx";
import { Button, QuietAction } from "#web/ui/button.tsx";
import { Card, Cards } from "#web/ui/card.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Page, Row, Stack } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { EmptyMessage, QueryState } from "#web/ui/query-state.tsx";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { Hint } from "#web/ui/text.tsx";
import { useParty } from "./api.ts";
import { GuestInvitation } from "./guest-invitation.tsx";
import { AskingGuests, GuestsCard } from "./guests-card.tsx";
import styles from "./party-page.module.css";
import * as recaps from "./recap-rules.ts";
import * as rules from "./rules.ts";

export function PartyPage(): ReactNode {
  const { id } = useParams({ from: "/party/$id" });
  return <PartyView key={id} id={id} />;
}

function PartyView({ id }: { id: number }): ReactNode {
  const query = useParty(id);
  const { data, error } = query;
  const name = data?.name ?? "Party";
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    // Browsers do not report inserted elements as a layout shift.
    <Page title={<span key={name}>{name}</span>} aria-busy={query.isPending}>
      <BackLink to="/party">Partys</BackLink>
      {isGone ? (
        <MatMessage>Diese Party gibt es nicht mehr.</MatMessage>
      ) : (
        <Cards>
          <div className={styles["party"]} data-loading={query.isPending || undefined}>
            <Mat query={query} />
            {data && <Details party={data} />}
          </div>
          {data && data.asking_guests.length > 0 && <AskingGuests party={data} />}
          {data && rules.listRanked(data).length > 0 && (
            <StatsCard title="Die Säufer" query={query} content="ranking" columns={5}>
              {(party) => <Ranking drinkers={rules.listRanked(party)} emptyText={rules.emptyTexts(party).ranking} />}
            </StatsCard>
          )}
          {data?.is_running && (data.is_member || data.guests.length > 0) && <GuestsCard party={data} />}
          {data?.is_running && data.is_member && <LastTaps taps={data.taps} />}
          {data?.recap && <RecapCard party={data} recap={data.recap} />}
          {/* Away from the button that started the party. */}
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

function Mat({ query }: { query: ReturnType<typeof useParty> }): ReactNode {
  const user = useMember();
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

function Details({ party }: { party: ShownParty }): ReactNode {
  return (
    <Stack gap={3} data-align="center" className={styles["details"]}>
      {party.is_running && <Invitation party={party} />}
      <Hint>{rules.describePeople(party)}</Hint>
      <PartyQuestions party={party} of="member" />
    </Stack>
  );
}

function Invitation({ party }: { party: ShownParty }): ReactNode {
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <Button onClick={() => setInviting(true)}>
        <QrCode size={20} />
        Einladen
      </Button>
      <Dialog title="Einladen" isOpen={isInviting} onClose={() => setInviting(false)}>
        {isInviting && <GuestInvitation party={party} onClose={() => setInviting(false)} />}
      </Dialog>
    </>
  );
}

function LastTaps({ taps }: Pick<ShownParty, "taps">): ReactNode {
  const heading = useId();
  const { time_zone } = useGroup();
  return (
    <section aria-labelledby={heading}>
      <BeerMat shape="chart">
        <h2 id={heading} className={styles["heading"]}>
          Zuletzt
        </h2>
        {taps.length === 0 ? (
          <EmptyMessage>Hier steht, wer zuletzt getrunken hat.</EmptyMessage>
        ) : (
          <div className={styles["taps"]}>
            <List label="Zuletzt">
              {taps.map((tap) => (
                <Row as="li" key={tap.id} data-wrap="never">
                  <Avatar id={tap.avatarId} name={tap.userName} size={32} />
                  <span className="one-line">{tap.userName}</span>
                  <time className={styles["time"]} dateTime={tap.at}>
                    {rules.describeTap(tap, time_zone)}
                  </time>
                </Row>
              ))}
            </List>
          </div>
        )}
      </BeerMat>
    </section>
  );
}

const RecapPicture = lazyPart(async () => (await import("./recap-picture.tsx")).RecapPicture);

function RecapCard({ party, recap }: { party: ShownParty; recap: PartyRecap }): ReactNode {
  const { time_zone } = useGroup();
  const [isSharing, setSharing] = useState(false);
  return (
    <section className={styles["recap"]} aria-labelledby="recap">
      <Card>
        <h2 id="recap" className={styles["title"]}>
          So war der Abend
        </h2>
        <AreaCurve
          label="Biere im Lauf des Abends"
          counts={recaps.listCounts(recap)}
          ticks={recaps.listHourLabels(recap, time_zone).map(({ quarter, text }) => ({ span: quarter, text }))}
          marked={recaps.findBusiestQuarter(recap)}
          texts={recaps.describeHours(recap, time_zone).map(({ at, text }) => ({ key: at, text }))}
        />
        <dl className={styles["facts"]}>
          {recaps.listFacts(recap, party.total, time_zone).map(({ label, text }) => (
            <div key={label} data-marked={label === recaps.busiestLabel || undefined}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Row data-justify="center">
          <Button onClick={() => setSharing(true)}>
            <ImageDown size={20} />
            Bild zum Teilen
          </Button>
        </Row>
        <Dialog title="Bild zum Teilen" isOpen={isSharing} onClose={() => setSharing(false)}>
          {isSharing && (
            <Suspense fallback={<div className={styles["frame"]} />}>
              <RecapPicture party={party} recap={recap} onClose={() => setSharing(false)} />
            </Suspense>
          )}
        </Dialog>
      </Card>
    </section>
  );
}

const questions = {
  home: {
    endpoint: goHomeFromParty,
    label: "Heimgehen",
    title: "Heimgehen",
    text: "Deine Biere bis jetzt bleiben bei der Party, weitere zählen nicht mehr dazu. Solange sie läuft, kannst du wiederkommen.",
    kind: "primary",
  },
  leave: {
    endpoint: leaveParty,
    label: "Doch nicht dabei",
    title: "Doch nicht dabei",
    text: "Alle deine Biere verschwinden aus der Party, im Bier-Counter bleiben sie.",
    kind: "danger",
  },
  end: {
    endpoint: endParty,
    label: "Party beenden",
    title: "Party beenden",
    text: "Dann kommt niemand mehr dazu, und der Rückblick bleibt.",
    kind: "danger",
  },
  delete: {
    endpoint: deleteParty,
    label: "Löschen",
    title: "Party löschen",
    text: "Der Rückblick verschwindet. Die Biere bleiben im Bier-Counter.",
    kind: "danger",
  },
} as const;
type Question = keyof typeof questions;

interface PartyQuestionsProps {
  readonly party: ShownParty;
  /** `member` goes home or leaves, `manager` ends, deletes or renames. */
  readonly of: "member" | "manager";
}

const renaming = formFor(renameParty);

function PartyQuestions({ party, of }: PartyQuestionsProps): ReactNode {
  const { id, name, is_running, is_member, is_home, is_manager } = party;
  const [asked, setAsked] = useState<Question | null>(null);
  const [isRenaming, setRenaming] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isOfMember = of === "member" && is_running;
  const isOfManager = of === "manager" && is_manager;
  const possible = {
    home: isOfMember && is_member,
    leave: isOfMember && (is_member || is_home),
    end: isOfManager && is_running,
    delete: isOfManager && !is_running,
  };
  const { endpoint, label, title, text, kind } = questions[asked ?? "leave"];
  return (
    <Row gap={1} data-justify="center">
      {(Object.keys(questions) as Question[])
        .filter((question) => possible[question])
        .map((question) => (
          <Action key={question} label={questions[question].label} onClick={() => setAsked(question)} />
        ))}
      {isOfManager && <Action label="Umbenennen" onClick={() => setRenaming(true)} />}
      <Confirm
        title={title}
        isOpen={asked !== null}
        action={label}
        kind={kind}
        onConfirm={async () => {
          const { message } = await call(endpoint, { params: { id } });
          if (asked === "delete") await navigate({ to: "/party" });
          else await reload(queries, ...partyKeys);
          return message;
        }}
        onClose={() => setAsked(null)}
      >
        <p>{text}</p>
      </Confirm>
      <Dialog title="Party umbenennen" isOpen={isRenaming} onClose={() => setRenaming(false)}>
        <renaming.DialogForm
          action="Umbenennen"
          onSend={async (body) => {
            const { message } = await call(renameParty, { params: { id }, body });
            await reload(queries, ...partyKeys);
            setRenaming(false);
            return message;
          }}
          onClose={() => setRenaming(false)}
        >
          <renaming.Field
            name="name"
            placeholder={rules.namePlaceholder}
            defaultValue={name}
            maxLength={partyLimits.name}
            autoComplete="off"
            required
          />
        </renaming.DialogForm>
      </Dialog>
    </Row>
  );
}

function Action({ label, onClick }: { label: string; onClick: () => void }): ReactNode {
  return (
    <QuietAction className={styles["action"]} data-guarded onClick={onClick}>
      {label}
    </QuietAction>
  );
}
