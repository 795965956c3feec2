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
import { changeOwnDoor, useOwnDoors } from "../queries.ts";
import { dayNumber, formatDay } from "../rules.ts";
import { fitPicture } from "./fit-picture.ts";
import styles from "./own-doors.module.css";
import { SwapButton, type SwapOffer } from "./swap-button.tsx";
import { SwapOffers } from "./swap-offers.tsx";

/** The doors that the member fills, what hangs behind them, and what others offer for them. */
export function OwnDoors({ doors, today }: { doors: readonly OwnDoor[]; today: string }): ReactNode {
  const { data } = useOwnDoors(true);
  const closed = doors.filter(({ date }) => date > today);
  return (
    <Stack>
      <SwapOffers offers={data?.offers ?? []} doors={closed} />
      <p>
        Häng hier ein Bild auf, bevor der Tag beginnt. Bis dahin sehen es nur du und die Verwaltung; danach steht dein
        Name darunter. Ein leeres Türchen kannst du noch bis zum Jahresende füllen.
      </p>
      <Lines label="Deine Türchen">
        {doors.map((door) => (
          <OwnDoorLine
            key={door.date}
            door={door}
            isClosed={closed.includes(door)}
            offer={data?.own_offers.find(({ date }) => date === door.date)}
          />
        ))}
      </Lines>
    </Stack>
  );
}

interface OwnDoorLineProps {
  readonly door: OwnDoor;
  /** Its day has not begun. */
  readonly isClosed: boolean;
  readonly offer: SwapOffer | undefined;
}

function OwnDoorLine({ door, isClosed, offer }: OwnDoorLineProps): ReactNode {
  const { date, picture } = door;
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
        end={isClosed && <SwapButton door={door} offer={offer} />}
      >
        <strong>{name}</strong>
        <Hint as="span">
          {`${formatDay(date)} · ${picture !== null ? "dein Bild hängt" : isClosed ? "noch kein Bild" : "offen und leer: noch geht es"}`}
          {offer && ` · ${offer.to.name} ist gefragt`}
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
