import { ImagePlus } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { ManagedCalendar } from "#contract/calendar-doors.ts";
import { dayNumber } from "#contract/christmas-calendar.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { EntityDialog } from "#web/admin/dialogs.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { FileButton } from "#web/ui/file-button.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import styles from "./admin-page.module.css";
import { useCalendar, useDealings } from "./admin-queries.ts";
import { describeFilled } from "./admin-rules.ts";
import { DoorForm } from "./components/door-form.tsx";
import { Lottery } from "./components/lottery.tsx";
import { MusicCard } from "./components/music-card.tsx";
import { Tiles } from "./components/tiles.tsx";
import { UploadReport } from "./components/upload-report.tsx";
import { useCalendarLive } from "./components/use-calendar-live.ts";
import { useUploads, type Uploads } from "./components/use-uploads.ts";

const pictureTypes = ".jpg,.jpeg,.png,image/jpeg,image/png";

export function ManagedCalendarPage(): ReactNode {
  const [year, setYear] = useState<number | null>(null);
  const calendar = useCalendar(year);
  const dealings = useDealings(calendar.data?.year);
  const uploads = useUploads();
  useCalendarLive();
  return (
    <AdminLayout area="/admin/calendar">
      <QueryState
        isPage
        // Also waits for the lottery runs: their list is above the doors and would push the doors
        // down if it loaded later.
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

/** Shows the 24 doors of a year with controls to upload their pictures. */
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
      <EntityDialog entity={openDate} title={(date) => `Türchen ${dayNumber(date)}`} onClose={() => setOpenDate(null)}>
        {(date) => (
          <DoorForm
            days={days}
            date={date}
            accept={pictureTypes}
            onPick={uploads.upload}
            // A late reply about one door must not close the dialog that was opened for another
            // door.
            onClose={() => setOpenDate((now) => (now === date ? null : now))}
          />
        )}
      </EntityDialog>
    </>
  );
}
