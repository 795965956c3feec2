import type { ReactNode } from "react";

import { findGuestParty } from "#web/features/parties/guest-device.ts";
import { ButtonLink } from "#web/page/links.tsx";
import { dashboardPath } from "#web/page/redirect-target.ts";
import { useGroup, useMember } from "#web/page/session.ts";
import { MatMessage } from "#web/ui/beer-mat.tsx";
import { Logo } from "#web/ui/icons.tsx";
import styles from "./page.module.css";

export function HomePage(): ReactNode {
  const { group_name: name } = useGroup();
  const party = findGuestParty();
  return (
    <div className={styles["home"]}>
      <h1 className="visually-hidden">{name}</h1>
      <div className={styles["largeLogo"]}>
        <Logo size={512} />
      </div>
      {party !== null && (
        <ButtonLink kind="primary" to="/guest/$id" params={{ id: party }}>
          Zurück zur Party
        </ButtonLink>
      )}
    </div>
  );
}

export function DeniedPage(): ReactNode {
  return (
    <MatMessage below={<WayOut />}>
      <h1>
        <span className={styles["title"]}>Nope.</span>
      </h1>
      <p className={styles["secondary"]}>Merk's dir besser.</p>
    </MatMessage>
  );
}

export function NotFoundPage(): ReactNode {
  return (
    <MatMessage below={<WayOut />}>
      <Logo size={112} />
      <h1>
        ERROR 404 <span className={styles["line"]}>|</span> Site not found
      </h1>
    </MatMessage>
  );
}

function WayOut(): ReactNode {
  const isGuest = useMember() === null;
  return (
    <ButtonLink kind="primary" to={isGuest ? "/" : dashboardPath}>
      {isGuest ? "Zur Startseite" : "Zum Bier-Counter"}
    </ButtonLink>
  );
}
