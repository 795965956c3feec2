import { useQuery } from "@tanstack/react-query";
import { UserRoundPlus } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";

import type { BeerKind } from "#contract/beercounter.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { getTappableMembers } from "#contract/tap-for.ts";
import { keptOptions, replyOptions } from "#web/client/queries.ts";
import { useClient } from "#web/page/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { QuietAction } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { List, ListItem } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint } from "#web/ui/text.tsx";
import { findNames } from "./rules.ts";
import styles from "./tap-for.module.css";
import { drinkForMember } from "./taps.ts";

/** Opens a list of the members for whom this member can tap. */
export function TapFor({ className }: { className?: string | undefined }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <QuietAction className={className} aria-label="Ein Strich für …" onClick={() => setOpen(true)}>
        <UserRoundPlus size={18} />
        <span>Für …</span>
      </QuietAction>
      <Dialog title="Ein Strich für …" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Members onTapped={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

type Member = ReplyOf<typeof getTappableMembers>["members"][number];

/** A search is worth its place above this number of members. */
const searchedFrom = 8;

function Members({ onTapped }: { onTapped: () => void }): ReactNode {
  const client = useClient();
  const [text, setText] = useState("");
  // The order must not change under a finger.
  const query = useQuery({
    ...replyOptions(getTappableMembers),
    ...keptOptions(client.storage, getTappableMembers, "tappable"),
    refetchOnWindowFocus: false,
  });
  const isTapped = useRef(false);
  function drink(member: Member, kind: BeerKind): void {
    // The second tap of a double tap would book another beer while the dialog closes.
    if (isTapped.current) return;
    isTapped.current = true;
    onTapped();
    drinkForMember(client, member, kind);
  }
  return (
    <QueryState
      query={query}
      failedText="Die Mitglieder konnten gerade nicht geladen werden."
      skeleton={<Skeleton lines={4} />}
    >
      {({ members }) =>
        members.length === 0 ? (
          <Hint>Gerade lässt niemand andere für sich tippen.</Hint>
        ) : (
          <Stack>
            {members.length >= searchedFrom && (
              <Field
                label="Suchen"
                name="search"
                type="search"
                autoComplete="off"
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            )}
            <List label="Mitglieder">
              {findNames(members, text).map((member) => (
                <Row as="li" key={member.id} data-wrap="never" className={styles["member"]}>
                  <ListItem
                    as="button"
                    type="button"
                    aria-label={`Bier für ${member.name}`}
                    picture={<Avatar id={member.avatarId} name={member.name} size={44} />}
                    end={<span className={styles["beer"]}>Bier</span>}
                    onClick={() => drink(member, null)}
                  >
                    <strong className={styles["name"]}>{member.name}</strong>
                  </ListItem>
                  <button
                    type="button"
                    className={styles["free"]}
                    aria-label={`0,0 für ${member.name}`}
                    onClick={() => drink(member, "0,0")}
                  >
                    0,0
                  </button>
                </Row>
              ))}
            </List>
            <p role="status" className={styles["none"]}>
              {findNames(members, text).length === 0 && "So heißt hier niemand."}
            </p>
          </Stack>
        )
      }
    </QueryState>
  );
}
