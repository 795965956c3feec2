import { Dices } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { ManagedCalendar } from "#contract/calendar-doors.ts";
import {
  applyDealing,
  type CalendarDealings,
  dealCalendarDoors,
  type DealingPreview,
} from "#contract/calendar-lottery.ts";
import { change } from "#web/admin/api.ts";
import { ApiError } from "#web/data/api.ts";
import { Confirm, ConfirmStep } from "#web/forms/confirm.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog, DialogActions } from "#web/ui/dialog.tsx";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { formatDate } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { useDealings, useDealingPreview } from "../admin-queries.ts";
import { describeLottery, describeMoves, describeWithout } from "../admin-rules.ts";
import styles from "./lottery.module.css";

/** Assigns doors to members at random, and lists earlier runs of this lottery. */
export function Lottery({ calendar }: { calendar: ManagedCalendar }): ReactNode {
  const { year, days, free_doors: free, members } = calendar;
  const { data } = useDealings(year);
  // The first lottery makes `isDealt` true before its dialog closes, so the question is decided by the press.
  const [asked, setAsked] = useState<"first" | "again" | null>(null);
  const isDealt = days.some(({ owner }) => owner !== null);
  const close = (): void => setAsked(null);
  if (free === 0 && !isDealt) return <Dealings dealings={data?.dealings ?? []} />;
  const hasChanges = isDealt ? (data?.changes ?? 0) > 0 : free > 0;
  return (
    <Stack gap={3}>
      {data && data.without.length > 0 && <Notice>{describeWithout(data.without.map(({ name }) => name))}</Notice>}
      <Row className={styles["row"]} data-wrap="never" data-justify="between">
        <Hint className={styles["hint"]}>
          {!isDealt
            ? "Oder die Mitglieder füllen den Kalender: Jedes zieht Türchen, hängt seine Bilder auf und sieht die anderen erst an ihrem Tag."
            : hasChanges
              ? "Neu verlosen gibt leere Türchen denen, die am wenigsten haben. Was es ändert, siehst du vorher."
              : "Alle leeren Türchen sind verlost. Gerechter geht es gerade nicht."}
        </Hint>
        <Button disabled={!hasChanges} onClick={() => setAsked(isDealt ? "again" : "first")}>
          <Dices size={20} />
          {isDealt ? "Neu verlosen" : "Türchen verlosen"}
        </Button>
      </Row>
      <Dealings dealings={data?.dealings ?? []} />
      <Dialog title="Neu verlosen?" isOpen={asked === "again"} onClose={close}>
        <Preview year={year} onClose={close} />
      </Dialog>
      <Confirm
        title="Türchen verlosen?"
        action="Verlosen"
        kind="primary"
        isOpen={asked === "first"}
        onConfirm={() => change(dealCalendarDoors, { body: { year } })}
        onClose={close}
      >
        <p>{describeLottery(free, members)} Was ein Bild hat oder schon offen ist, bleibt, wie es ist.</p>
      </Confirm>
    </Stack>
  );
}

/** Shows the preview of another lottery run, with a button that applies exactly this result. */
function Preview({ year, onClose }: { year: number; onClose: () => void }): ReactNode {
  const preview = useDealingPreview(year);
  return (
    <QueryState
      query={preview}
      failedText="Die Vorschau konnte gerade nicht geladen werden."
      skeleton={<Skeleton lines={4} />}
    >
      {({ id, doors }) =>
        doors.length === 0 ? (
          <Stack>
            <p>Inzwischen gibt es nichts mehr zu verlosen.</p>
            <DialogActions>
              <Button onClick={onClose}>Schließen</Button>
            </DialogActions>
          </Stack>
        ) : (
          <ConfirmStep
            key={id}
            action="So verlosen"
            kind="primary"
            onConfirm={async () => {
              try {
                return await change(applyDealing, { params: { id } });
              } catch (error) {
                // The preview is stale: loads a new preview, and the thrown error shows the reason.
                if (error instanceof ApiError && error.status === 409) await preview.refetch();
                throw error;
              }
            }}
            onClose={onClose}
          >
            <Moves doors={doors} />
          </ConfirmStep>
        )
      }
    </QueryState>
  );
}

function Moves({ doors }: { doors: DealingPreview["doors"] }): ReactNode {
  return (
    <ul className={styles["moves"]}>
      {describeMoves(doors).map(({ id, gets, from }) => (
        <li key={id}>
          <strong>{gets}</strong>
          {from !== null && <Hint as="span">{from}</Hint>}
        </li>
      ))}
    </ul>
  );
}

/** Lists the dates of the lottery runs and the seeds that determine their results. */
function Dealings({ dealings }: { dealings: CalendarDealings["dealings"] }): ReactNode {
  if (dealings.length === 0) return null;
  const { at: latest, left: hasLeft } = dealings[0]!;
  const title = `${hasLeft ? "Neu verlost" : "Verlost"} am ${formatDate(latest, "day")}${hasLeft ? ", weil jemand gegangen ist" : ""}`;
  return (
    <Disclosure title={title}>
      <Stack gap={2}>
        <ul className={styles["dealings"]}>
          {dealings.map(({ at, seed, doors, left }) => (
            <li key={seed}>
              {`${formatDate(at, "date")}, ${formatDate(at, "time")}: ${doors} Türchen`}
              {left && ", weil jemand gegangen ist"}
              <Hint as="span">
                Startzahl <code className={styles["seed"]}>{seed}</code>
              </Hint>
            </li>
          ))}
        </ul>
        <Hint>Aus der Startzahl folgt, wer was gezogen hat. So lässt sich jede Verlosung nachrechnen.</Hint>
      </Stack>
    </Disclosure>
  );
}
