import { useLocation } from "@tanstack/react-router";
import { Suspense, useEffect, useState, type ReactNode } from "react";

import { partyTold } from "#contract/party-events.ts";
import { createStore } from "#web/client/store.ts";
import { partyKeys, useUnseenStory } from "#web/features/beers/api.ts";
import { partyPath, partyTopic } from "#web/features/beers/party-rules.ts";
import { showMessage, useOpenDialog } from "#web/page/messages.tsx";
import { lazyPart } from "#web/page/newer-version.ts";
import { useEvent } from "#web/page/queries.ts";
import { useClient, useStore } from "#web/page/session.ts";
import { photoCall, takePhoto } from "./photo-taker.tsx";

const PartyStory = lazyPart(async () => (await import("./party-story.tsx")).PartyStory);

/** Id of the party whose story is open. */
const openedStory = createStore<number | null>(null);

export function openStory(id: number): void {
  openedStory.set(id);
}

function closeStory(): void {
  openedStory.set(null);
}

/** Opens an unseen story for a member who arrives at the counter, and any story on request. */
export function Stories(): ReactNode {
  const id = useStore(openedStory);
  const { arrived, act } = useArrivalAtCounter();
  const { reloadSoon } = useClient();
  useEffect(() => closeStory, []);
  useEvent(partyTold, ({ id: party, name, news }) => {
    act();
    reloadSoon(...partyKeys);
    const about = { type: "info", link: partyPath(party), topic: partyTopic(party) } as const;
    if (news === "photo")
      showMessage({
        ...about,
        text: photoCall,
        action: { label: "Foto machen", run: () => takePhoto(party, "camera") },
      });
    else
      showMessage({
        ...about,
        text: `„${name}“ ist vorbei.`,
        action: { label: "Ansehen", run: () => openStory(party) },
      });
  });
  return (
    <>
      {arrived !== null && <UnseenStory key={arrived} />}
      {id !== null && (
        <Suspense>
          <PartyStory key={id} id={id} onClose={closeStory} />
        </Suspense>
      )}
    </>
  );
}

function UnseenStory(): null {
  const unseen = useUnseenStory();
  const dialog = useOpenDialog();
  const isFree = dialog === undefined && openedStory.get() === null;
  useEffect(() => {
    if (unseen !== null && isFree) openStory(unseen);
  }, [unseen, isFree]);
  return null;
}

/** `arrived` is a number per visit of the counter; `null` elsewhere, and as soon as the member acts there. */
function useArrivalAtCounter(): { arrived: number | null; act: () => void } {
  const isCounter = useLocation().pathname === "/beercounter";
  const [arrived, setArrived] = useState<number | null>(null);
  useEffect(() => {
    const arrive = (): void => setArrived(isCounter && !document.hidden ? performance.now() : null);
    const leave = (): void => setArrived(null);
    arrive();
    addEventListener("visibilitychange", arrive);
    addEventListener("pointerdown", leave);
    addEventListener("keydown", leave);
    return () => {
      removeEventListener("visibilitychange", arrive);
      removeEventListener("pointerdown", leave);
      removeEventListener("keydown", leave);
    };
  }, [isCounter]);
  return { arrived, act: () => setArrived(null) };
}
