import { useId, type ReactNode } from "react";

import type { MemberPage } from "#contract/member-page.ts";
import { Card } from "#web/ui/card.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { describeOwnDoors, doorNumber } from "../rules.ts";
import styles from "./calendar-card.module.css";
import { MoreLink } from "./more-link.tsx";

/**
 * Shows the member's calendar doors: all of them to the member, to others only doors that the
 * viewer has opened and whose picture names the member. Renders nothing if there are no doors to
 * show and the member has opened none.
 */
export function CalendarCard({
  page: { calendar, today, name },
  isOwn,
}: {
  page: MemberPage;
  isOwn: boolean;
}): ReactNode {
  const heading = useId();
  const texts = isOwn ? describeOwnDoors(calendar, today) : [`Dahinter hing ein Bild von ${name}.`];
  if (calendar.doors.length === 0 && !calendar.opened) return null;
  return (
    <Card>
      <Stack as="section" gap={3} aria-labelledby={heading}>
        <h2 id={heading}>{`Türchen ${calendar.year}`}</h2>
        {calendar.doors.length > 0 && (
          <Row as="ul" aria-label={isOwn ? "Deine Türchen" : "Türchen"}>
            {calendar.doors.map((door) => (
              <li key={door.date} className={styles["door"]} data-filled={door.is_filled || undefined}>
                <span className={styles["number"]}>{doorNumber(door)}</span>
                <span className="visually-hidden">{door.is_filled ? ", gefüllt" : ", noch leer"}</span>
              </li>
            ))}
          </Row>
        )}
        {texts.map((text) => (
          <Hint key={text}>{text}</Hint>
        ))}
        <MoreLink href="/christmas-calendar">Zum Adventskalender</MoreLink>
      </Stack>
    </Card>
  );
}
