import { useState, type ReactNode } from "react";

import { deleteParty, endParty, goHomeFromParty, leaveParty, renameParty, type ShownParty } from "#contract/party.ts";
import { call } from "#web/data/api.ts";
import { Confirm } from "#web/forms/confirm.tsx";
import { textsOf } from "#web/forms/use-form.ts";
import { navigate } from "#web/router/navigation.ts";
import { reloadParties } from "#web/shared/parties/queries.ts";
import { Row } from "#web/ui/layout.tsx";
import { QuietAction } from "#web/ui/quiet-action.tsx";
import { NameDialog } from "./name-dialog.tsx";
import styles from "./party-questions.module.css";

const questions = {
  home: {
    endpoint: goHomeFromParty,
    label: "Heimgehen",
    title: "Heimgehen",
    text: "Deine Biere bis jetzt bleiben bei der Party, weitere zählen nicht mehr dazu. Solange sie läuft, kannst du wiederkommen.",
    kind: "primary",
  },
  leave: {
    endpoint: leaveParty,
    label: "Doch nicht dabei",
    title: "Doch nicht dabei",
    text: "Alle deine Biere verschwinden aus der Party, im Bier-Counter bleiben sie.",
    kind: "danger",
  },
  end: {
    endpoint: endParty,
    label: "Party beenden",
    title: "Party beenden",
    text: "Dann kommt niemand mehr dazu, und der Rückblick bleibt.",
    kind: "danger",
  },
  delete: {
    endpoint: deleteParty,
    label: "Löschen",
    title: "Party löschen",
    text: "Der Rückblick verschwindet. Die Biere bleiben im Bier-Counter.",
    kind: "danger",
  },
} as const;
type Question = keyof typeof questions;

interface PartyQuestionsProps {
  readonly party: ShownParty;
  /** `member` for going home and leaving, `manager` for ending, deleting and renaming. */
  readonly of: "member" | "manager";
}

/** Shows buttons that change or end a party or a stay at it; each button opens a dialog first. */
export function PartyQuestions({ party, of }: PartyQuestionsProps): ReactNode {
  const { id, name, is_running, is_member, is_home, is_manager } = party;
  const [asked, setAsked] = useState<Question | null>(null);
  const [isRenaming, setRenaming] = useState(false);
  const isOfMember = of === "member" && is_running;
  const isOfManager = of === "manager" && is_manager;
  const possible = {
    home: isOfMember && is_member,
    leave: isOfMember && (is_member || is_home),
    end: isOfManager && is_running,
    delete: isOfManager && !is_running,
  };
  const { endpoint, label, title, text, kind } = questions[asked ?? "leave"];
  return (
    <Row gap={1} data-justify="center">
      {(Object.keys(questions) as Question[])
        .filter((question) => possible[question])
        .map((question) => (
          <Action key={question} label={questions[question].label} onClick={() => setAsked(question)} />
        ))}
      {isOfManager && <Action label="Umbenennen" onClick={() => setRenaming(true)} />}
      <Confirm
        title={title}
        isOpen={asked !== null}
        action={label}
        kind={kind}
        onConfirm={async () => {
          const { message } = await call(endpoint, { params: { id } });
          if (asked === "delete") navigate("/party");
          else await reloadParties();
          return message;
        }}
        onClose={() => setAsked(null)}
      >
        <p>{text}</p>
      </Confirm>
      <NameDialog
        title="Party umbenennen"
        action="Umbenennen"
        endpoint={renameParty}
        name={name}
        isOpen={isRenaming}
        onSend={async (values) => {
          const { message } = await call(renameParty, { params: { id }, body: textsOf(values, "name") });
          await reloadParties();
          setRenaming(false);
          return message;
        }}
        onClose={() => setRenaming(false)}
      />
    </Row>
  );
}

function Action({ label, onClick }: { label: string; onClick: () => void }): ReactNode {
  return (
    <QuietAction className={styles["action"]} data-guarded onClick={onClick}>
      {label}
    </QuietAction>
  );
}
