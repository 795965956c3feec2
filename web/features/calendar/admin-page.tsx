import { useMutation } from "@tanstack/react-query";
import { Dices, ImagePlus, Plus } from "lucide-react";
import { useState, type ReactNode } from "react";

import { saveCalendarSurprise, type ManagedCalendar } from "#contract/calendar-doors.ts";
import {
  applyDealing,
  type CalendarDealings,
  dealCalendarDoors,
  type DealingPreview,
} from "#contract/calendar-lottery.ts";
import { dayNumber } from "#contract/christmas-calendar.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { useAdminCall } from "#web/admin/api.ts";
import { EntityDialog } from "#web/admin/dialogs.tsx";
import { ApiError } from "#web/client/api.ts";
import { Confirm, ConfirmStep } from "#web/page/confirm.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Switch } from "#web/ui/choice.tsx";
import { Dialog, DialogActions } from "#web/ui/dialog.tsx";
import { FileButton } from "#web/ui/field.tsx";
import { formatDate } from "#web/ui/german.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Disclosure, Hint, Notice } from "#web/ui/text.tsx";
import * as api from "./admin-api.ts";
import styles from "./admin-page.module.css";
import {
  type CalendarDay,
  describeFilled,
  describeLottery,
  describeMoves,
  describeSecretMoves,
  describeWithout,
  hasOwner,
} from "./admin-rules.ts";
import { DoorForm, WrappedPicture } from "./door-form.tsx";
import { MusicCard } from "./music-card.tsx";

const pictureTypes = ".jpg,.jpeg,.png,image/jpeg,image/png";

export function ManagedCalendarPage(): ReactNode {
  const [year, setYear] = useState<number | null>(null);
  const calendar = api.useCalendar(year);
  const dealings = api.useDealings(calendar.data?.year);
  const uploads = api.useUploads();
  return (
    <AdminLayout area="/admin/calendar">
      <QueryState
        isPage
        // The list of lottery runs would push the doors down if it loaded later.
        query={dealings.isPending ? { ...calendar, data: undefined } : calendar}
        failedText="Die Türchen konnten gerade nicht geladen werden."
        skeleton={<Skeleton lines={6} />}
      >
        {(shown) => (
          <>
            <Years calendar={shown} onChoose={setYear} />
            <div inert={calendar.isPlaceholderData || dealings.isPlaceholderData}>
              <Year key={shown.year} calendar={shown} uploads={uploads} />
            </div>
            <Card>
              <MusicCard audio={shown.audio} />
            </Card>
          </>
        )}
      </QueryState>
    </AdminLayout>
  );
}

function Years({ calendar, onChoose }: { calendar: ManagedCalendar; onChoose: (year: number) => void }): ReactNode {
  return (
    <Row as="nav" gap={2} aria-label="Jahre">
      {calendar.years.map((year) => (
        <Button key={year} aria-current={year === calendar.year || undefined} onClick={() => onChoose(year)}>
          {year}
        </Button>
      ))}
    </Row>
  );
}

function Year({ calendar, uploads }: { calendar: ManagedCalendar; uploads: api.Uploads }): ReactNode {
  const [openDate, setOpenDate] = useState<string | null>(null);
  const { days } = calendar;
  const filled = days.filter(({ is_filled: isFilled }) => isFilled).length;
  return (
    <>
      <Card>
        <Row className={styles["fill"]}>
          <p>
            <strong>{describeFilled(filled)}</strong>{" "}
            <Hint as="span">
              Wähl viele Bilder auf einmal: Eine Zahl im Dateinamen ist der Tag, die anderen füllen die freien Türchen
              der Reihe nach.
            </Hint>
          </p>
          <FileButton
            kind="primary"
            what="Bilder für den Kalender"
            accept={pictureTypes}
            isMultiple
            isBusy={uploads.isRunning}
            onPick={(files) => void uploads.uploadAll(days, files)}
          >
            <ImagePlus size={20} />
            Bilder wählen
          </FileButton>
        </Row>
        <Lottery calendar={calendar} />
        <Tiles days={days} isBusy={uploads.isRunning} onOpen={setOpenDate} />
      </Card>
      <EntityDialog entity={openDate} title={(date) => `Türchen ${dayNumber(date)}`} onClose={() => setOpenDate(null)}>
        {(date) =>
          days.some((day) => day.date === date && day.is_secret) ? (
            <SecretDoor onClose={() => setOpenDate(null)} />
          ) : (
            <DoorForm
              days={days}
              date={date}
              accept={pictureTypes}
              onPick={uploads.upload}
              // A late reply must not close the dialog of another door.
              onClose={() => setOpenDate((now) => (now === date ? null : now))}
            />
          )
        }
      </EntityDialog>
    </>
  );
}

function SecretDoor({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <Stack>
      <p>Ein Mitglied füllt dieses Türchen. Wer, siehst du erst an seinem Tag.</p>
      <Hint>Musst du hier etwas ändern, schalt vorher „Lass mich überraschen“ aus.</Hint>
      <DialogActions>
        <Button onClick={onClose}>Fertig</Button>
      </DialogActions>
    </Stack>
  );
}

interface TilesProps {
  readonly days: readonly CalendarDay[];
  readonly isBusy: boolean;
  readonly onOpen: (date: string) => void;
}

function Tiles({ days, isBusy, onOpen }: TilesProps): ReactNode {
  return (
    <ol className={styles["tiles"]} aria-label="Türchen">
      {days.map((day) => (
        <li key={day.date} className={styles["place"]}>
          <button
            type="button"
            className={styles["tile"]}
            aria-label={describeDoor(day)}
            aria-haspopup="dialog"
            disabled={isBusy}
            data-filled={day.is_filled || undefined}
            onClick={() => onOpen(day.date)}
          >
            <TilePicture day={day} />
            <span className={styles["number"]} aria-hidden="true">
              {dayNumber(day.date)}
            </span>
          </button>
          {hasOwner(day) && (
            <span className={styles["owner"]} aria-hidden="true">
              {day.owner?.name ?? "verlost"}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function TilePicture({ day: { date, preview, is_filled: isFilled } }: { day: CalendarDay }): ReactNode {
  if (!isFilled) return <Plus className={styles["plus"]} size={26} />;
  if (preview === null) return <WrappedPicture day={dayNumber(date)} />;
  return <img className={`covering ${styles["picture"]}`} src={preview} alt="" loading="lazy" />;
}

function describeDoor({ date, is_filled: isFilled, preview, opened, owner, is_secret: isSecret }: CalendarDay): string {
  const words = [
    `Türchen ${dayNumber(date)}`,
    ...(isFilled ? [] : ["leer"]),
    ...(isFilled && preview === null ? ["gefüllt"] : []),
    ...(opened > 0 && isFilled ? [`${opened}-mal geöffnet`] : []),
    ...(owner ? [`von ${owner.name}`] : []),
    ...(isSecret ? ["verlost"] : []),
  ];
  return words.join(", ");
}

function Lottery({ calendar }: { calendar: ManagedCalendar }): ReactNode {
  const { year, days, free_doors: free, members } = calendar;
  const { data } = api.useDealings(year);
  const call = useAdminCall();
  // The first lottery makes `isDealt` true before its dialog closes.
  const [asked, setAsked] = useState<"first" | "again" | null>(null);
  const isDealt = days.some(hasOwner);
  const close = (): void => setAsked(null);
  if (free === 0 && !isDealt) return <Dealings dealings={data?.dealings ?? []} />;
  const hasChanges = isDealt ? (data?.changes ?? 0) > 0 : free > 0;
  return (
    <Stack gap={3}>
      {data && data.without.length > 0 && <Notice>{describeWithout(data.without.map(({ name }) => name))}</Notice>}
      <Row className={styles["lottery"]} data-wrap="never" data-justify="between">
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
      {isDealt && <SurpriseSwitch isOn={calendar.is_surprised} />}
      <Dealings dealings={data?.dealings ?? []} />
      <Dialog title="Neu verlosen?" isOpen={asked === "again"} onClose={close}>
        <DealingPreviewStep year={year} onClose={close} />
      </Dialog>
      <Confirm
        title="Türchen verlosen?"
        action="Verlosen"
        kind="primary"
        isOpen={asked === "first"}
        onConfirm={async () => (await call(dealCalendarDoors, { body: { year } })).message}
        onClose={close}
      >
        <p>{describeLottery(free, members)} Was ein Bild hat oder schon offen ist, bleibt, wie es ist.</p>
      </Confirm>
    </Stack>
  );
}

function SurpriseSwitch({ isOn }: { isOn: boolean }): ReactNode {
  const call = useAdminCall();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (is_surprised: boolean) => (await call(saveCalendarSurprise, { body: { is_surprised } })).message,
  });
  return (
    <Switch
      label="Lass mich überraschen"
      hint="Wer welches Türchen gezogen hat, siehst du dann erst an seinem Tag."
      isOn={isPending ? variables : isOn}
      disabled={isPending}
      onChange={mutate}
    />
  );
}

function DealingPreviewStep({ year, onClose }: { year: number; onClose: () => void }): ReactNode {
  const preview = api.useDealingPreview(year);
  const call = useAdminCall();
  return (
    <QueryState
      query={preview}
      failedText="Die Vorschau konnte gerade nicht geladen werden."
      skeleton={<Skeleton lines={4} />}
    >
      {({ id, count, doors }) =>
        count === 0 ? (
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
                return (await call(applyDealing, { params: { id } })).message;
              } catch (error) {
                // The preview is stale; the thrown error says why.
                if (error instanceof ApiError && error.status === 409) await preview.refetch();
                throw error;
              }
            }}
            onClose={onClose}
          >
            {doors.length === 0 ? <p>{describeSecretMoves(count)}</p> : <Moves doors={doors} />}
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
