import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { CloudOff, Undo2 } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import {
  askForMembership,
  getGuestInvitation,
  getGuestScreen,
  joinAsGuest,
  leaveAsGuest,
  type GuestScreen,
} from "#contract/guest-device.ts";
import { guestLimits } from "#contract/party-guests.ts";
import { call } from "#web/client/api.ts";
import { keyOf, reload } from "#web/client/queries.ts";
import { DrinkButtons } from "#web/features/beers/drink-buttons.tsx";
import { MatCounts, MatCountsSkeleton } from "#web/features/beers/mat-counts.tsx";
import { describeSum, partyPath } from "#web/features/beers/party-rules.ts";
import { Confirm } from "#web/page/confirm.tsx";
import { Footer } from "#web/page/footer.tsx";
import { formFor } from "#web/page/form.tsx";
import { removeLinkToken, useLinkToken } from "#web/page/link-token.ts";
import { ButtonLink, QuietLink } from "#web/page/links.tsx";
import { Messages } from "#web/page/messages.tsx";
import { useClient, useGroup, useStore } from "#web/page/session.ts";
import { BeerMat, MatMessage } from "#web/ui/beer-mat.tsx";
import { QuietAction } from "#web/ui/button.tsx";
import { Card, FormCard } from "#web/ui/card.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { Hint, Notice } from "#web/ui/text.tsx";
import { callAsGuest, useGuestScreen, useOwnCounter } from "./guest-api.ts";
import { createGuestToken, readGuest, writeGuest, type StoredGuest } from "./guest-device.ts";
import styles from "./guest-page.module.css";
import * as rules from "./guest-rules.ts";

/** The only page of a stranger with a party's QR code. */
export function GuestPage(): ReactNode {
  const { id } = useParams({ from: "/guest/$id" });
  return (
    <div className={styles["page"]}>
      <main className={styles["main"]}>
        <Visit key={id} party={id} />
      </main>
      <Footer isInert={false} />
      <Messages />
    </div>
  );
}

function Visit({ party }: { party: number }): ReactNode {
  const [secret, setSecret] = useLinkToken();
  const [guest, setGuest] = useState(() => readGuest(party));
  const [hasLeft, setLeft] = useState(false);
  function keep(next: StoredGuest | null): void {
    writeGuest(party, next);
    setGuest(next);
    setLeft(next === null);
  }
  useEffect(() => {
    // The address of a guest who has joined must not invite others.
    if (guest !== null) removeLinkToken();
  }, [guest]);
  if (guest !== null)
    return (
      <Evening
        key={guest.token}
        party={party}
        guest={guest}
        onGone={() => {
          setSecret(null);
          keep(null);
        }}
      />
    );
  if (secret !== null) return <Welcome party={party} secret={secret} onJoined={keep} />;
  return (
    <NoParty party={party}>
      {hasLeft ? "Du bist nicht mehr dabei." : "Scan den QR-Code der Party, dann bist du dabei."}
    </NoParty>
  );
}

function NoParty({ party, children }: { party: number; children: ReactNode }): ReactNode {
  return (
    <>
      <h1 className="visually-hidden">Party</h1>
      <MatMessage below={<MemberLogin party={party} />}>{children}</MatMessage>
    </>
  );
}

function MemberLogin({ party }: { party: number }): ReactNode {
  return (
    <QuietLink to="/login" search={{ redirectedFrom: partyPath(party) }} className={styles["quiet"]}>
      Du bist Mitglied? Zum Login
    </QuietLink>
  );
}

const joining = formFor(joinAsGuest);

interface WelcomeProps {
  readonly party: number;
  readonly secret: string;
  readonly onJoined: (guest: StoredGuest) => void;
}

function Welcome({ party, secret, onJoined }: WelcomeProps): ReactNode {
  const query = useQuery({
    queryKey: [...keyOf(getGuestInvitation), party, secret],
    queryFn: ({ signal }) => call(getGuestInvitation, { body: { party, secret }, signal }),
  });
  // Repeated with a lost answer, so that the guest is not there twice.
  const [token] = useState(createGuestToken);
  return (
    <QueryState query={query} failedText="Die Party konnte gerade nicht geladen werden." isPage>
      {({ party: invited }) =>
        invited === null ? (
          <NoParty party={party}>Dieser QR-Code gilt nicht mehr. Frag am Tisch nach einem neuen.</NoParty>
        ) : (
          <FormCard title={invited.name} below={<MemberLogin party={party} />}>
            <p className={styles["inviting"]}>
              {invited.by === null ? "Setz dich dazu und mach deine Striche." : `${invited.by} lädt dich ein.`}
            </p>
            <joining.Form
              action="Dabei sein"
              readMore={() => ({ party, secret })}
              onSend={async (body) => {
                await call(joinAsGuest, { ...callAsGuest(token), body });
                onJoined({ token, name: body.name, screen: null });
              }}
            >
              <joining.Field name="name" maxLength={guestLimits.name} autoComplete="given-name" required />
              <joining.Checkbox
                name="has_agreed"
                label="Ich bin einverstanden, in dieser Party mit Vornamen und Strichen zu stehen."
                required
              />
              <Hint>
                Dein Name steht beim Anstoßen auch auf dem Fernseher. Ist die Party vorbei, wird er gelöscht, und deine
                Striche zählen ohne Namen weiter.
              </Hint>
            </joining.Form>
          </FormCard>
        )
      }
    </QueryState>
  );
}

interface EveningProps {
  readonly party: number;
  readonly guest: StoredGuest;
  readonly onGone: () => void;
}

function Evening({ party, guest, onGone }: EveningProps): ReactNode {
  const { token, name, screen: kept } = guest;
  const { query, isGone } = useGuestScreen(token, kept);
  const { data } = query;
  useEffect(() => {
    if (data) writeGuest(party, { token, name, screen: data });
  }, [party, token, name, data]);
  useEffect(() => {
    if (isGone) onGone();
  }, [isGone, onGone]);
  return (
    <QueryState
      query={query}
      failedText="Die Party konnte gerade nicht geladen werden."
      skeleton={
        <div className={styles["mat"]}>
          <BeerMat shape="round">
            <MatCountsSkeleton label="Biere" />
          </BeerMat>
        </div>
      }
      isPage
    >
      {(screen) => <Table screen={screen} guest={guest} onGone={onGone} />}
    </QueryState>
  );
}

interface TableProps {
  readonly screen: GuestScreen;
  readonly guest: StoredGuest;
  readonly onGone: () => void;
}

function Table({ screen, guest: { token, name }, onGone }: TableProps): ReactNode {
  const { party } = screen;
  const counter = useOwnCounter(screen, token);
  const mat = useRef<HTMLDivElement>(null);
  const isCalm = useReducedMotion();
  function drink(): void {
    if (!isCalm) mat.current?.animate({ translate: ["0 0", "0 2px", "0 0"] }, 180);
    navigator.vibrate?.(12);
    counter.drink();
  }
  return (
    <section className={styles["table"]} aria-labelledby="party">
      <h1 id="party" className={styles["title"]}>
        {party.name}
      </h1>
      <Waiting count={counter.waiting} isRunning={party.is_running} />
      <div ref={mat} className={styles["mat"]}>
        <BeerMat shape="round">
          <MatCounts
            label={counter.partyTotal === 1 ? "Bier" : "Biere"}
            total={counter.partyTotal}
            sum={describeSum({ total: counter.partyTotal, guest_total: counter.guestTotal })}
            name={name}
            own={counter.total}
          >
            {party.is_running ? "Noch kein Strich auf deinem Deckel." : "Kein Strich auf deinem Deckel."}
          </MatCounts>
        </BeerMat>
      </div>
      {party.is_running && (
        <>
          <DrinkButtons isOfGuest onDrink={drink} />
          <Row className={styles["undo"]} data-justify="center">
            {counter.undo !== null && (
              <QuietAction className={styles["quiet"]} onClick={counter.undo}>
                <Undo2 size={18} />
                Letztes Bier zurücknehmen
              </QuietAction>
            )}
          </Row>
        </>
      )}
      <Refused {...counter} />
      <div className={styles["end"]} data-over={!party.is_running || undefined}>
        {party.is_running ? (
          <Running members={party.members} token={token} onGone={onGone} />
        ) : (
          <Afterwards screen={screen} total={counter.total} name={name} token={token} />
        )}
      </div>
    </section>
  );
}

/** Its height never changes. */
function Waiting({ count, isRunning }: { count: number; isRunning: boolean }): ReactNode {
  const isCutOff = useStore(useClient().isOffline);
  return (
    <p className={styles["state"]} aria-live="polite" data-warning={count > 0 || isCutOff || undefined}>
      {count > 0 ? (
        <span>
          <CloudOff size={18} />
          {rules.describeWaiting(count)}
        </span>
      ) : isCutOff ? (
        <span>
          <CloudOff size={18} />
          Keine Verbindung. Wir versuchen es weiter.
        </span>
      ) : (
        !isRunning && "Die Party ist vorbei."
      )}
    </p>
  );
}

function Refused({ refused, reason, discard }: ReturnType<typeof useOwnCounter>): ReactNode {
  return (
    <div className={styles["refused"]} role="status">
      {refused.length > 0 ? (
        <>
          {rules.describeRefused(refused.length, reason)}
          <QuietAction className={styles["quiet"]} onClick={discard}>
            Verstanden
          </QuietAction>
        </>
      ) : (
        reason !== null && `Dein Bier zählt nicht. ${reason}`
      )}
    </div>
  );
}

interface RunningProps {
  readonly members: readonly string[];
  readonly token: string;
  readonly onGone: () => void;
}

function Running({ members, token, onGone }: RunningProps): ReactNode {
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Stack gap={2} data-align="center">
      <Hint data-align="center" className={styles["people"]}>
        {rules.describeTable(members)}
      </Hint>
      <QuietAction className={styles["quiet"]} data-guarded onClick={() => setLeaving(true)}>
        Doch nicht dabei
      </QuietAction>
      <Confirm
        title="Doch nicht dabei"
        isOpen={isLeaving}
        action="Löschen"
        onConfirm={async () => {
          await call(leaveAsGuest, callAsGuest(token));
          onGone();
        }}
        onClose={() => setLeaving(false)}
      >
        <p>Dein Name und alle deine Striche verschwinden aus der Party.</p>
      </Confirm>
    </Stack>
  );
}

const asking = formFor(askForMembership);

interface AfterwardsProps {
  readonly screen: GuestScreen;
  readonly total: number;
  readonly name: string;
  readonly token: string;
}

function Afterwards({ screen: { request }, total, name, token }: AfterwardsProps): ReactNode {
  const queries = useQueryClient();
  const { group_name } = useGroup();
  if (request === "accepted")
    return (
      <Card data-align="center">
        <h2>Willkommen in der Runde!</h2>
        <p className={styles["text"]}>Leg dir einen Account an, dann bleiben dir deine Striche.</p>
        <ButtonLink kind="primary" to="/register" hash={`token=${token}`}>
          Account erstellen
        </ButtonLink>
      </Card>
    );
  if (request === "open")
    return <Notice>Gefragt! Das Ja steht dann auf dieser Seite. Öffne sie später einfach wieder.</Notice>;
  if (request === "declined" || total === 0) return <Hint data-align="center">Schön, dass du da warst. Prost!</Hint>;
  return (
    <Card>
      <h2 className={styles["question"]}>Behalte deine Striche</h2>
      <p className={styles["text"]}>
        {`Werde Mitglied bei „${group_name}“! Wer die Party gestartet hat, muss Ja sagen. Fragen kannst du zwei Wochen lang.`}
      </p>
      <asking.Form
        action="Anfrage senden"
        onSend={async (body) => {
          await call(askForMembership, { ...callAsGuest(token), body });
          await reload(queries, keyOf(getGuestScreen));
        }}
      >
        <asking.Field
          name="name"
          defaultValue={name}
          hint="Für deine Anfrage. Bei einem Nein wird er gelöscht."
          maxLength={guestLimits.name}
          autoComplete="given-name"
          required
        />
      </asking.Form>
    </Card>
  );
}
