import type { ReactNode } from "react";

import type { PresenceList } from "#web/data/realtime.ts";
import { useStore } from "#web/data/store.ts";
import { useAction } from "#web/forms/use-action.ts";
import { useSession } from "#web/session/session.ts";
import { useFlash } from "#web/shell/flash.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { Row } from "#web/ui/layout.tsx";
import { useNow } from "#web/ui/use-now.ts";
import { toastBack } from "../actions.ts";
import { pendingToast, useLatestBeer, useOtherPresentMembers, type ToastTarget } from "../queries.ts";
import { describeLatest, formatNames, toastTopic } from "../rules.ts";
import styles from "./present-members.module.css";

const minute = 60_000;

/**
 * Shows a button that toasts back to a member, and the other members who have the app open. If
 * there is neither a toast to send nor another member, names the last drinker as soon as the
 * counters are loaded (`hasCounters`).
 */
export function PresentMembers({ hasCounters }: { hasCounters: boolean }): ReactNode {
  const others = useOtherPresentMembers();
  const toastable = useToastable();
  return (
    <>
      {toastable && <ToastButton member={toastable} />}
      {others.count > 0 && <OthersHere others={others} isBrief={toastable !== null} />}
      {others.count === 0 && !toastable && <Latest isEnabled={hasCounters} />}
    </>
  );
}

/**
 * Shows presence where space is short: a button that toasts back to a member, or else the pictures
 * of two present members.
 */
export function BriefPresence(): ReactNode {
  const others = useOtherPresentMembers();
  const toastable = useToastable();
  if (toastable) return <ToastButton member={toastable} isBrief />;
  return others.count > 0 && <OthersHere others={others} isBrief />;
}

/**
 * Returns the member to whom a toast can be sent back; `null` if there is none or a flash message
 * already offers the toast.
 */
function useToastable(): ToastTarget | null {
  const missed = useStore(pendingToast);
  const isAnnounced = useFlash()?.topic === (missed && toastTopic(missed.userId));
  return isAnnounced ? null : missed;
}

function ToastButton({ member, isBrief = false }: { member: ToastTarget; isBrief?: boolean }): ReactNode {
  const { run, isPending } = useAction(toastBack);
  const { userName, avatarId } = member;
  return (
    <button
      type="button"
      className={`touch-line ${styles["toast"]}`}
      disabled={isPending}
      onClick={() => void run(member)}
    >
      <Avatar id={avatarId} name={userName} size={28} />
      <span className={isBrief ? "visually-hidden" : `one-line ${styles["name"]}`}>{userName}</span>
      <strong>
        Prost<span className={isBrief ? "visually-hidden" : undefined}> zurück</span>
      </strong>
    </button>
  );
}

/**
 * Shows which other members have the app open. `isBrief` omits the text and some pictures, so that
 * a button fits beside the pictures.
 */
function OthersHere({ others, isBrief }: { others: PresenceList; isBrief: boolean }): ReactNode {
  const { count, members } = others;
  const pictures = members.slice(0, isBrief ? 2 : 5);
  const more = count - pictures.length;
  const names = members.map(({ name }) => name);
  return (
    <Row as="p" gap={2} data-wrap="never" className={styles["present"]}>
      <span className="visually-hidden">{`Gerade hier: ${formatNames(names, count)}`}</span>
      <span className={styles["word"]} aria-hidden="true">
        {!isBrief && "Gerade hier"}
      </span>
      <Row as="span" gap={0} data-wrap="never" className={styles["pictures"]} aria-hidden="true">
        {pictures.map(({ id, name, avatarId }) => (
          <Avatar key={id} id={avatarId} name={name} size={28} />
        ))}
        {more > 0 && <span className={styles["more"]}>{`+${formatNumber(more)}`}</span>}
      </Row>
    </Row>
  );
}

function Latest({ isEnabled }: { isEnabled: boolean }): ReactNode {
  const { data: beer, isPending } = useLatestBeer(isEnabled);
  const { user, isOffline } = useSession();
  const now = useNow(minute);
  if (isPending && !isOffline) return null;
  return (
    <Row as="p" data-wrap="never" className={styles["present"]}>
      {beer === undefined ? "Das letzte Bier ist gerade unbekannt." : describeLatest(beer, user?.id, now)}
    </Row>
  );
}
