import { ImagePlus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";

import type { OwnDoor } from "#contract/christmas-calendar.ts";
import { useMutation } from "#web/platform/use-mutation.ts";
import { Button } from "#web/ui/button.tsx";
import { Entry } from "#web/ui/entry.tsx";
import { FileButton } from "#web/ui/file-button.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { Lines } from "#web/ui/lines.tsx";
import { changeOwnDoor } from "../queries.ts";
import { dayNumber, formatDay } from "../rules.ts";
import { fitPicture } from "./fit-picture.ts";
import styles from "./own-doors.module.css";

/** The doors that the member fills, and what hangs behind them. */
export function OwnDoors({ doors }: { doors: readonly OwnDoor[] }): ReactNode {
  return (
    <Stack>
      <p>
        Häng hier ein Bild auf, bevor der Tag beginnt. Bis dahin sehen es nur du und die Verwaltung; danach steht dein
        Name darunter.
      </p>
      <Lines label="Deine Türchen">
        {doors.map((door) => (
          <OwnDoorLine key={door.date} door={door} />
        ))}
      </Lines>
    </Stack>
  );
}

function OwnDoorLine({ door: { date, picture } }: { door: OwnDoor }): ReactNode {
  const fill = useMutation(async (file: File) => changeOwnDoor(date, await fitPicture(file)));
  const empty = useMutation(() => changeOwnDoor(date, null));
  const isBusy = fill.isPending || empty.isPending;
  const name = `Türchen ${dayNumber(date)}`;
  return (
    <Stack as="li" gap={2}>
      <Entry
        picture={
          <span className={styles["place"]} data-filled={picture !== null || undefined}>
            {picture === null ? (
              dayNumber(date)
            ) : (
              <img className={styles["picture"]} src={`${picture}?size=phone`} alt={`Dein Bild für ${name}`} />
            )}
          </span>
        }
      >
        <strong>{name}</strong>
        <Hint as="span">
          {formatDay(date)} · {picture === null ? "noch kein Bild" : "dein Bild hängt"}
        </Hint>
      </Entry>
      <Row>
        <FileButton
          kind={picture === null ? "primary" : "plain"}
          what={`Bild für ${name}`}
          accept=".jpg,.jpeg,.png,image/jpeg,image/png"
          isBusy={fill.isPending}
          disabled={isBusy}
          onPick={([file]) => void fill.run(file!)}
        >
          <ImagePlus size={20} />
          {picture === null ? "Bild wählen" : "Anderes Bild"}
        </FileButton>
        {picture !== null && (
          <Button isBusy={empty.isPending} disabled={isBusy} onClick={() => void empty.run()}>
            <Trash2 size={20} />
            Abnehmen
          </Button>
        )}
      </Row>
    </Stack>
  );
}
