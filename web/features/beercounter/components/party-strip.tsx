import { ChevronRight, PartyPopper } from "lucide-react";
import type { ReactNode } from "react";

import type { RunningParty } from "#contract/party.ts";
import { useAction } from "#web/forms/use-action.ts";
import { PageLink } from "#web/router/page-link.tsx";
import { PartyPeople } from "#web/shared/parties/party-people.tsx";
import { useJoinParty } from "#web/shared/parties/queries.ts";
import { formatSum, partyPath, partyTopic } from "#web/shared/parties/rules.ts";
import { useFlash } from "#web/shell/flash.tsx";
import { focusHeading } from "#web/ui/heading-focus.ts";
import { Spinner } from "#web/ui/spinner.tsx";
import styles from "./party-strip.module.css";

interface PartyStripProps {
  readonly parties: readonly RunningParty[];
  /** The party whose counts the counter card already shows; `undefined` if it shows none. */
  readonly shown: RunningParty | undefined;
}

/** Lists the running parties in a row that scrolls horizontally. */
export function PartyStrip({ parties, shown }: PartyStripProps): ReactNode {
  return (
    <ul className={styles["strip"]} aria-label="Partys, die gerade laufen">
      {parties.map((party) => (
        <li key={party.id} className={styles["party"]} data-is-shown={party.id === shown?.id || undefined}>
          {party.is_member ? <OwnParty party={party} isShown={party.id === shown?.id} /> : <OtherParty party={party} />}
        </li>
      ))}
    </ul>
  );
}

/**
 * Links to a party of the member and shows its name, or the people at it if the counter card
 * already shows the name.
 */
function OwnParty({ party, isShown }: { party: RunningParty; isShown: boolean }): ReactNode {
  const { id, name } = party;
  return (
    <PageLink href={partyPath(id)} className={`touch-line ${styles["link"]}`}>
      {isShown ? (
        <>
          <span className={styles["present"]} aria-hidden="true">
            Dabei
          </span>
          <PartyPeople {...party} />
        </>
      ) : (
        <>
          <PartyPopper size={20} className={styles["icon"]} />
          <strong className="one-line">{name}</strong>
          <span className={styles["rest"]}>{formatSum(party)}</span>
        </>
      )}
      <ChevronRight size={18} className={styles["icon"]} />
    </PageLink>
  );
}

function OtherParty({ party }: { party: RunningParty }): ReactNode {
  const { id, name, is_home } = party;
  const { run, isPending } = useAction(useJoinParty());
  const isOffered = useFlash()?.topic === partyTopic(id);
  return (
    <>
      <PageLink href={partyPath(id)} className={`touch-line ${styles["link"]}`}>
        <PartyPopper size={20} className={styles["icon"]} />
        <strong className="one-line">{name}</strong>
        <span className={styles["rest"]}>läuft</span>
      </PageLink>
      <button
        type="button"
        className={styles["join"]}
        disabled={isPending}
        aria-busy={isPending}
        data-offered={isOffered || undefined}
        onClick={({ currentTarget }) => {
          focusHeading(currentTarget);
          void run(party);
        }}
      >
        <span className={styles["word"]}>{is_home ? "Wieder dabei" : "Dabei sein"}</span>
        {isPending && <Spinner size={20} />}
      </button>
    </>
  );
}
