import { Clock, Copy, Gamepad2, Users } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";

import { type GameServer, toPhase } from "#contract/game-servers.ts";
import { Confirm } from "#web/page/confirm.tsx";
import { ButtonLink } from "#web/page/links.tsx";
import { useGroup, usePermission } from "#web/page/session.ts";
import { copyText } from "#web/page/share-link.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat, MatMessage } from "#web/ui/beer-mat.tsx";
import { Button, type ButtonProps, IconButton } from "#web/ui/button.tsx";
import { CardErrorBoundary } from "#web/ui/card.tsx";
import { Columns, Page, Row, Stack } from "#web/ui/layout.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { useNow } from "#web/ui/use-now.ts";
import { useGameServers, useKeepRunning, useSwitchServer } from "./api.ts";
import styles from "./page.module.css";
import * as rules from "./rules.ts";
import { TapPicture } from "./tap-picture.tsx";

export function GameServersPage(): ReactNode {
  const canSwitch = usePermission("toggle-game-servers");
  const isAdmin = usePermission("admin");
  const query = useGameServers();
  const hasServers = query.data !== undefined && query.data.length > 0;
  return (
    <Page title="Game-Server" aria-busy={query.isPending}>
      {hasServers && !canSwitch && (
        <p className={styles["hint"]}>Zuschauen darfst du, schalten nicht. Frag jemanden, der hier zapfen darf.</p>
      )}
      <QueryState
        isPage
        query={query}
        failedText="Die Server konnten gerade nicht geladen werden."
        skeleton={<ServersSkeleton />}
      >
        {(servers) =>
          servers.length === 0 ? (
            <MatMessage below={isAdmin && <ButtonLink to="/admin/game-servers">Server anschließen</ButtonLink>}>
              Noch ist kein Game-Server angeschlossen.
            </MatMessage>
          ) : (
            <Columns as="ul" className={styles["servers"]}>
              {servers.map((server) => (
                <li key={server.id}>
                  <CardErrorBoundary>
                    <ServerCard server={server} />
                  </CardErrorBoundary>
                </li>
              ))}
            </Columns>
          )
        }
      </QueryState>
    </Page>
  );
}

function ServersSkeleton(): ReactNode {
  return (
    <Columns role="status" data-skeleton="">
      {[1, 2, 3].map((place) => (
        <BeerMat key={place} shape="square">
          <div className={styles["skeleton"]}>
            <TapPicture phase="stopped" />
            {place === 1 ? <h2>Die Server werden gerade geholt …</h2> : <span />}
            <span />
          </div>
        </BeerMat>
      ))}
    </Columns>
  );
}

function ServerCard({ server }: { server: GameServer }): ReactNode {
  const name = useId();
  const phase = server.is_active ? toPhase(server) : "stopped";
  return (
    <BeerMat shape="square">
      <article className={styles["card"]} aria-labelledby={name}>
        <TapPicture phase={phase} />
        <Stack gap={1} className={styles["head"]}>
          <h2 id={name} className={styles["name"]}>
            {server.display_name}
          </h2>
          <Row as="p" gap={2} data-wrap="never" className={styles["state"]} data-phase={phase}>
            {rules.formatPhase(server)}
          </Row>
          {!server.is_active && (
            <p className={styles["change"]}>
              Er kommt aus einem Backup. Wer den Rechner betreut, muss ihn erst freigeben.
            </p>
          )}
          <LastChange server={server} />
          <StartFailure server={server} />
        </Stack>
        <div className={styles["switch"]}>
          <SwitchButton server={server} describedBy={name} />
        </div>
        <Facts server={server} />
      </article>
    </BeerMat>
  );
}

function SwitchButton({ server, describedBy }: { server: GameServer; describedBy: string }): ReactNode {
  const canSwitch = usePermission("toggle-game-servers");
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending } = useSwitchServer(server.id);
  const button = rules.toSwitchButton(server);
  const { label, state, isChanging } = button;
  const question = state === 2 ? rules.stopWarning(server.players) : null;
  return (
    <>
      <Button
        kind={buttonKind(button)}
        isWide
        isBusy={isPending || isChanging}
        disabled={state === null || !canSwitch}
        aria-label={label}
        aria-describedby={describedBy}
        onClick={() => (question === null ? mutate(state!) : setAsking(true))}
      >
        {label}
      </Button>
      <Confirm
        title={`${server.display_name} herunterfahren?`}
        isOpen={isAsking}
        action="Trotzdem herunterfahren"
        onClose={() => setAsking(false)}
        onConfirm={async () => mutate(2)}
      >
        <div>
          <p>
            <bdi>{question}</bdi>
          </p>
          <p>Sag am besten vorher Bescheid.</p>
        </div>
      </Confirm>
    </>
  );
}

function buttonKind({ label, state }: rules.SwitchButtonState): NonNullable<ButtonProps["kind"]> {
  if (state === 1) return "primary";
  return label === "Fehler" ? "danger" : "plain";
}

function LastChange({ server }: { server: GameServer }): ReactNode {
  const change = rules.describeLastChange(server, useNow(15_000));
  if (change === null) return null;
  return (
    <Row as="p" gap={2} data-wrap="never" className={styles["change"]}>
      {change.by && <Avatar id={change.by.avatarId} name={change.by.name} size={24} />}
      <bdi>{change.text}</bdi>
    </Row>
  );
}

function StartFailure({ server }: { server: GameServer }): ReactNode {
  const failure = rules.formatStartFailure(server, useNow(15_000));
  return (
    failure !== null && (
      <p className={styles["failure"]}>
        <bdi>{failure}</bdi>
      </p>
    )
  );
}

function Facts({ server }: { server: GameServer }): ReactNode {
  const isUp = server.state?.Running === true && toPhase(server) !== "stopping";
  const isEnding = isUp && server.auto_stop_at !== null;
  const players = isUp ? rules.formatPlayers(server) : null;
  if (players === null && !isEnding && server.address === null) return null;
  return (
    <Stack gap={3} className={styles["facts"]}>
      {players !== null && (
        <p className={styles["fact"]}>
          <Users size={20} />
          <bdi>{players}</bdi>
        </p>
      )}
      {isEnding && <AutoStop server={server} at={Date.parse(server.auto_stop_at!)} />}
      {server.address !== null && <Address address={server.address} joinUrl={server.join_url} />}
    </Stack>
  );
}

function AutoStop({ server, at }: { server: GameServer; at: number }): ReactNode {
  const { time_zone } = useGroup();
  const canSwitch = usePermission("toggle-game-servers");
  const { mutate, isPending } = useKeepRunning(server.id);
  return (
    <Row gap={2} className={styles["ending"]} data-justify="between">
      <p className={styles["fact"]}>
        <Clock size={20} />
        {rules.autoStopText(at, useNow(1000), time_zone)}
      </p>
      <Button isBusy={isPending} disabled={!canSwitch} onClick={() => mutate()}>
        länger laufen lassen
      </Button>
    </Row>
  );
}

function Address({ address, joinUrl }: { address: string; joinUrl: string | null }): ReactNode {
  const text = useRef<HTMLElement>(null);
  const [host, port] = address.split(/(?=:\d+$)/);
  const copy = (): Promise<void> =>
    copyText(address, text.current, {
      copied: "Adresse kopiert.",
      selected: "Die Adresse ist markiert: Kopier sie bitte von Hand.",
    });
  return (
    <Row as="p" gap={2} data-wrap="never" className={styles["address"]}>
      <code ref={text} className={styles["addressText"]}>
        {host}
        <wbr />
        {port}
      </code>
      {joinUrl && (
        <a className={`touch-target ${styles["addressAction"]}`} href={joinUrl} aria-label="Mit Steam beitreten">
          <Gamepad2 size={20} />
        </a>
      )}
      <IconButton className={styles["addressAction"]} label="Adresse kopieren" onClick={() => void copy()}>
        <Copy size={20} />
      </IconButton>
    </Row>
  );
}
