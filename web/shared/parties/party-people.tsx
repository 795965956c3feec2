import type { ReactNode } from "react";

import type { RunningParty } from "#contract/party.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { Row } from "#web/ui/layout.tsx";
import styles from "./party-people.module.css";
import { describePresent } from "./rules.ts";

const maxPictures = 5;

/**
 * Shows the pictures of up to five people at a running party, and the number of the other people.
 */
export function PartyPeople({ users, others }: Pick<RunningParty, "users" | "others">): ReactNode {
  const pictures = users.slice(0, users.length > maxPictures ? maxPictures - 1 : maxPictures);
  const more = users.length + others - pictures.length;
  return (
    <>
      <span className="visually-hidden">{describePresent(users, others)}</span>
      <Row as="span" gap={0} data-wrap="never" className={styles["pictures"]} aria-hidden="true">
        {pictures.map(({ id, name, profile_picture }) => (
          <Avatar key={id} id={profile_picture} name={name} size={28} />
        ))}
        {more > 0 && <span className={styles["more"]}>{`${pictures.length > 0 ? "+" : ""}${formatNumber(more)}`}</span>}
      </Row>
    </>
  );
}
