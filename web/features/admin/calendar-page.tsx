import { Dices, ImagePlus } from "lucide-react";
import { useState, type ReactNode } from "react";

import { dealCalendarDoors, type ManagedCalendar } from "#contract/admin-calendar.ts";
import { Confirm } from "#web/platform/confirm.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { FileButton } from "#web/ui/file-button.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import styles from "./calendar-page.module.css";
import { AdminLayout } from "./components/admin-layout.tsx";
import { DoorForm } from "./components/door-form.tsx";
import { EntityDialog } from "./components/entity-dialog.tsx";
import { MusicCard } from "./components/music-card.tsx";
import { Tiles } from "./components/tiles.tsx";
import { UploadReport } from "./components/upload-report.tsx";
import { useUploads, type Uploads } from "./components/use-uploads.ts";
import { useCalendarLive } from "./live.ts";
import { change, useCalendar } from "./queries.ts";
import { dayOf, describeFilled, describeLottery } from "./rules.ts";

const pictureTypes = ".jpg,.jpeg,.png,image/jpeg,image/png";

export function CalendarPage(): ReactNode {
  const [year, setYear] = useState<number | null>(null);
  const calendar = useCalendar(year);
  const uploads = useUploads();
  useCalendarLive();
  return (
    <AdminLayout area="/admin/calendar">
      <QueryState
        isPage
        query={calendar}
        failedText="Die Türchen konnten gerade nicht geladen werden."
        skeleton={<Skeleton lines={6} />}
      >
        {(shown) => (
          <>
            <Years calendar={shown} onChoose={setYear} />
            <div inert={calendar.isPlaceholderData}>
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

/** The 24 doors of one year, and the ways to fill them. */
function Year({ calendar, uploads }: { calendar: ManagedCalendar; uploads: Uploads }): ReactNode {
  const [openDate, setOpenDate] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const { days } = calendar;
  const filled = days.filter(({ is_filled: isFilled }) => isFilled).length;
  return (
    <>
      <Card
        className={styles["content"]}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes("Files")) return;
          event.preventDefault();
          setOver(!uploads.isRunning);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
        }}
        onDrop={(event) => {
          setOver(false);
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          void uploads.uploadAll(days, [...event.dataTransfer.files]);
        }}
      >
        <Row className={styles["fill"]}>
          <p>
            <strong>{describeFilled(filled)}</strong>{" "}
            <Hint as="span">
              Wähl viele Bilder auf einmal oder zieh sie hierher: Eine Zahl im Dateinamen ist der Tag, die anderen
              füllen die freien Türchen der Reihe nach.
            </Hint>
          </p>
          <FileButton
            kind="primary"
            what="Bilder für den Kalender"
            accept={pictureTypes}
            isMultiple
            disabled={uploads.isRunning}
            onPick={(files) => void uploads.uploadAll(days, files)}
          >
            <ImagePlus size={20} />
            Bilder wählen
          </FileButton>
        </Row>
        <Lottery calendar={calendar} />
        <UploadReport uploads={uploads} />
        <Tiles days={days} isBusy={uploads.isRunning} onOpen={setOpenDate} onDropFile={uploads.drop} />
      </Card>
      <EntityDialog entity={openDate} title={(date) => `Türchen ${dayOf(date)}`} onClose={() => setOpenDate(null)}>
        {(date) => (
          <DoorForm
            days={days}
            date={date}
            accept={pictureTypes}
            onPick={uploads.upload}
            // A late answer leaves the dialog alone that was opened meanwhile.
            onClose={() => setOpenDate((now) => (now === date ? null : now))}
          />
        )}
      </EntityDialog>
    </>
  );
}

/** Members fill the doors that are dealt to them. */
function Lottery({ calendar: { year, days, free_doors: free, members } }: { calendar: ManagedCalendar }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const isDealt = days.some(({ owner }) => owner !== null);
  if (free === 0 && !isDealt) return null;
  return (
    <Row className={styles["fill"]}>
      <Hint>
        {free === 0
          ? "Alle leeren Türchen sind verlost."
          : "Oder die Mitglieder füllen den Kalender: Jedes zieht Türchen, hängt seine Bilder auf und sieht die anderen erst an ihrem Tag."}
      </Hint>
      <Button disabled={free === 0} onClick={() => setAsking(true)}>
        <Dices size={20} />
        Türchen verlosen
      </Button>
      <Confirm
        title="Türchen verlosen?"
        action="Verlosen"
        kind="primary"
        isOpen={isAsking}
        onConfirm={() => change(dealCalendarDoors, { body: { year } })}
        onClose={() => setAsking(false)}
      >
        <p>
          {describeLottery(free, members)} Wer die wenigsten hat, kommt zuerst dran. Was ein Bild hat, jemandem gehört
          oder schon offen ist, bleibt, wie es ist; nur leere Türchen gesperrter Mitglieder werden neu verlost.
        </p>
      </Confirm>
    </Row>
  );
}
