import { useEffect, type ReactNode } from "react";

import { getRunningParties, seeStory } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import { keyOf } from "#web/client/queries.ts";
import { showFailure } from "#web/page/messages.tsx";
import { useClient, useMember } from "#web/page/session.ts";
import { Story, type StoryCard } from "#web/ui/story.tsx";
import { useParty } from "./api.ts";
import { listStoryParts, type StoryPart } from "./recap-rules.ts";
import { PartyCard } from "./story-cards.tsx";

const grounds: Record<StoryPart["kind"], StoryCard["ground"]> = {
  cover: "bar",
  curve: "table",
  moments: "slate",
  round: "bar",
  friends: "table",
  photos: "slate",
  picture: "bar",
};

interface PartyStoryProps {
  readonly id: number;
  readonly onClose: () => void;
}

export function PartyStory({ id, onClose }: PartyStoryProps): ReactNode {
  const memberId = useMember()?.id;
  const { queries } = useClient();
  const { data, error } = useParty(id);
  const wasThere = data?.is_member === true;
  useEffect(() => {
    if (!wasThere) return;
    queries.setQueryData(
      keyOf(getRunningParties),
      (parties: object | undefined) => parties && { ...parties, story: null },
    );
    // Opens once more if it fails.
    void call(seeStory, { params: { id } }).catch(() => undefined);
  }, [id, wasThere, queries]);
  useEffect(() => {
    if (error === null) return;
    showFailure(error);
    onClose();
  }, [error, onClose]);
  if (!data) return null;
  return (
    <Story
      label={`So war der Abend: ${data.name}`}
      cards={listStoryParts(data, memberId).map((part, index) => ({
        key: `${part.kind} ${index}`,
        ground: grounds[part.kind],
        render: () => <PartyCard party={data} part={part} />,
      }))}
      onClose={onClose}
    />
  );
}
