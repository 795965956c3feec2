import type { ReactNode } from "react";

import type { OwnDoors } from "#contract/calendar-lottery.ts";
import { type OwnDoor, dayNumber } from "#contract/christmas-calendar.ts";
import { useAction } from "#web/forms/use-action.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import { acceptSwap, endSwap } from "../queries.ts";
import styles from "./swap-offers.module.css";

interface SwapOffersProps {
  readonly offers: OwnDoors["offers"];
  /**
   * Doors of the logged-in member whose day has not begun. The member chooses one of them to give
   * in exchange.
   */
  readonly doors: readonly OwnDoor[];
}

/** Lists the doors that other members offer to the logged-in member for exchange. */
export function SwapOffers({ offers, doors }: SwapOffersProps): ReactNode {
  return offers.map((offer) => <SwapOffer key={offer.id} offer={offer} doors={doors} />);
}

function SwapOffer({
  offer: { id, date, by },
  doors,
}: { offer: OwnDoors["offers"][number] } & Pick<SwapOffersProps, "doors">) {
  const accept = useAction((own: string) => acceptSwap(id, own));
  const decline = useAction(() => endSwap(id));
  const isBusy = accept.isPending || decline.isPending;
  const moves = doors.some(({ picture }) => picture !== null) ? " Dein Bild zieht mit um." : "";
  return (
    <Stack as="section" gap={3} className={styles["offer"]} aria-label={`Tausch mit ${by.name}`}>
      <ListItem picture={<Avatar id={by.avatarId} name={by.name} size={44} />}>
        <strong>{`${by.name} möchte tauschen`}</strong>
        <Hint as="span">{`Türchen ${dayNumber(date)} gegen eins von deinen. Welches gibst du her?${moves}`}</Hint>
      </ListItem>
      <Row gap={2}>
        {doors.map((own) => (
          <Button
            key={own.date}
            isBusy={accept.pending?.[0] === own.date}
            disabled={isBusy}
            aria-label={`Türchen ${dayNumber(own.date)} gegen Türchen ${dayNumber(date)} tauschen`}
            onClick={() => void accept.run(own.date)}
          >
            {`Türchen ${dayNumber(own.date)}`}
          </Button>
        ))}
        <Button isBusy={decline.isPending} disabled={isBusy} onClick={() => void decline.run()}>
          Lieber nicht
        </Button>
      </Row>
    </Stack>
  );
}
