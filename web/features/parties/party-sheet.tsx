import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ellipsis, QrCode, Tv, UserPlus, Users, type LucideIcon } from "lucide-react";
import { useId, useState, type ComponentProps, type MouseEvent, type ReactNode } from "react";

import { toListedMember } from "#contract/members.ts";
import { goHomeFromParty, leaveParty, type ShownParty } from "#contract/party.ts";
import { ApiError, call } from "#web/client/api.ts";
import { reload } from "#web/client/queries.ts";
import { partyKeys } from "#web/features/beers/api.ts";
import { formatSum } from "#web/features/beers/party-rules.ts";
import { choose } from "#web/page/confirm.tsx";
import { ButtonLink } from "#web/page/links.tsx";
import { useGroup } from "#web/page/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { formatCount } from "#web/ui/german.ts";
import { focusHeading } from "#web/ui/heading-focus.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint } from "#web/ui/text.tsx";
import { useParty } from "./api.ts";
import { GuestInvitation } from "./guest-invitation.tsx";
import { AddGuest, PartyGuests } from "./party-guests.tsx";
import { ManageParty, RenameParty } from "./party-management.tsx";
import styles from "./party-sheet.module.css";
import { describeStarter, describeTimes, hasPhotos, hasStory } from "./rules.ts";
import { openStory } from "./stories.tsx";
import { TablePhotos } from "./table-photo.tsx";

const stepTitles = {
  invite: "Einladen",
  guest: "Gast dazuholen",
  more: "Party verwalten",
  rename: "Party umbenennen",
} as const;
type Step = keyof typeof stepTitles;

interface PartySheetProps {
  readonly id: number;
  /** `false` while only an earlier visit knows the party, which may be gone. */
  readonly isConfirmed: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** All about a running party except its counter, for those who take part. */
export function PartySheet({ id, isConfirmed, isOpen, onClose }: PartySheetProps): ReactNode {
  const query = useParty(id, isConfirmed);
  const [step, setStep] = useState<Step | null>(null);
  const { mutate: goHome, isPending } = useGoHome(id, onClose);
  const party = query.data;
  const isPart = party?.is_running === true && party.is_member;
  const shown = isPart ? step : null;
  const back = (): void => setStep(null);
  return (
    <Dialog
      title={shown === null ? (party?.name ?? "Party") : stepTitles[shown]}
      isOpen={isOpen}
      onClose={() => {
        back();
        onClose();
      }}
      footer={
        shown === null ? (
          <>
            {isPart && (
              <Button isBusy={isPending} onClick={() => goHome()}>
                Heimgehen
              </Button>
            )}
            <Button kind={isPart || !party ? "primary" : "plain"} onClick={onClose}>
              Fertig
            </Button>
          </>
        ) : shown === "more" ? (
          <Button onClick={back}>Zurück</Button>
        ) : undefined
      }
    >
      {shown === null ? (
        <Sheet query={query} onStep={setStep} onClose={onClose} />
      ) : shown === "invite" ? (
        party && <GuestInvitation party={party} onClose={back} />
      ) : shown === "guest" ? (
        <AddGuest partyId={id} onClose={back} />
      ) : shown === "more" ? (
        party && <ManageParty party={party} onRename={() => setStep("rename")} />
      ) : (
        party && <RenameParty party={party} onClose={back} />
      )}
    </Dialog>
  );
}

/** Asks once if the beers stay. */
function useGoHome(id: number, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn() {
      const answer = await choose({
        title: "Heimgehen?",
        text: "Deine Striche können bei der Party bleiben. Warst du doch nicht dabei, zählen sie nur im Bier-Counter.",
        action: "Striche behalten",
        otherAction: "Doch nicht dabei",
        kind: "primary",
      });
      if (answer === null) return undefined;
      const { message } = await call(answer === "action" ? goHomeFromParty : leaveParty, { params: { id } });
      onDone();
      await reload(queries, ...partyKeys);
      return message;
    },
  });
}

interface SheetProps {
  readonly query: ReturnType<typeof useParty>;
  readonly onStep: (step: Step) => void;
  readonly onClose: () => void;
}

function Sheet({ query, onStep, onClose }: SheetProps): ReactNode {
  if (query.error instanceof ApiError && query.error.status === 404) return <p>Diese Party gibt es nicht mehr.</p>;
  return (
    <QueryState
      query={query}
      failedText="Die Party konnte gerade nicht geladen werden."
      skeleton={<Skeleton lines={4} />}
    >
      {(party) =>
        party.is_running && party.is_member ? (
          <Stack>
            <Facts party={party} />
            <Actions party={party} onStep={onStep} />
            {party.guests.length > 0 && <PartyGuests guests={party.guests} />}
            <People party={party} />
            {hasPhotos(party) && <TablePhotos party={party} Heading="h3" />}
          </Stack>
        ) : (
          <Past party={party} onClose={onClose} />
        )
      }
    </QueryState>
  );
}

function Past({ party, onClose }: { party: ShownParty; onClose: () => void }): ReactNode {
  const { id, is_running } = party;
  return (
    <Stack data-align="center">
      <p>{is_running ? "Du bist nicht mehr dabei." : "Die Party ist vorbei."}</p>
      {hasStory(party) ? (
        <Button
          kind="primary"
          onClick={() => {
            onClose();
            openStory(id);
          }}
        >
          So war der Abend
        </Button>
      ) : (
        <ButtonLink to="/party/$id" params={{ id }}>
          Zur Party
        </ButtonLink>
      )}
    </Stack>
  );
}

function Facts({ party }: { party: ShownParty }): ReactNode {
  const { time_zone } = useGroup();
  const start = [describeTimes(party, time_zone), describeStarter(party)].filter((part) => part !== null).join(", ");
  return <Hint>{`${start}. ${formatSum(party)}.`}</Hint>;
}

function Actions({ party, onStep }: { party: ShownParty; onStep: (step: Step) => void }): ReactNode {
  const open =
    (step: Step) =>
    ({ currentTarget }: MouseEvent): void => {
      focusHeading(currentTarget);
      onStep(step);
    };
  return (
    <div className={styles["actions"]}>
      <Action icon={QrCode} onClick={open("invite")}>
        Einladen
      </Action>
      <Action icon={UserPlus} aria-label="Gast dazuholen" onClick={open("guest")}>
        Gast
      </Action>
      <Link to="/pair" className={styles["action"]}>
        <Tv size={22} />
        Fernseher
      </Link>
      {party.is_manager && (
        <Action icon={Ellipsis} onClick={open("more")}>
          Mehr
        </Action>
      )}
    </div>
  );
}

function Action({
  icon: Icon,
  children,
  ...rest
}: ComponentProps<"button"> & { readonly icon: LucideIcon }): ReactNode {
  return (
    <button {...rest} type="button" className={styles["action"]}>
      <Icon size={22} />
      {children}
    </button>
  );
}

function People({ party: { users, others } }: { party: ShownParty }): ReactNode {
  const heading = useId();
  return (
    <Stack as="section" gap={2} aria-labelledby={heading}>
      <h3 id={heading}>Mitglieder</h3>
      <Row as="ul" gap={2}>
        {users.map((user) => {
          const { id, name, avatarId } = toListedMember(user);
          return (
            <li key={id} className={styles["person"]} data-is-home={user.is_home || undefined}>
              <Avatar id={avatarId} name={name} size={32} />
              <span className="one-line">{name}</span>
              {user.is_home && <Hint as="span">daheim</Hint>}
            </li>
          );
        })}
        {others > 0 && (
          <li className={styles["person"]}>
            <Users size={20} />
            {formatCount(others, "weitere Person", "weitere Leute")}
          </li>
        )}
      </Row>
    </Stack>
  );
}
