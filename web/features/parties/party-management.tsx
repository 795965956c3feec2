import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { deleteParty, endParty, partyLimits, renameParty, type ShownParty } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import { reload } from "#web/client/queries.ts";
import { partyKeys } from "#web/features/beers/api.ts";
import { confirm } from "#web/page/confirm.tsx";
import { formFor } from "#web/page/form.tsx";
import { Button } from "#web/ui/button.tsx";
import { TwoColumns } from "#web/ui/layout.tsx";
import { namePlaceholder } from "./rules.ts";

interface ManagePartyProps {
  readonly party: ShownParty;
  readonly onRename: () => void;
}

/** Ends a running party, deletes a finished one. */
export function ManageParty({ party: { id, is_running }, onRename }: ManagePartyProps): ReactNode {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { mutate: remove, isPending } = useMutation({
    async mutationFn() {
      const isAgreed = await confirm(
        is_running
          ? {
              title: "Party beenden",
              text: "Dann kommt niemand mehr dazu, und der Rückblick bleibt.",
              action: "Party beenden",
              kind: "danger",
            }
          : {
              title: "Party löschen",
              text: "Der Rückblick verschwindet. Die Biere bleiben im Bier-Counter.",
              action: "Löschen",
              kind: "danger",
            },
      );
      if (!isAgreed) return undefined;
      const { message } = await call(is_running ? endParty : deleteParty, { params: { id } });
      if (!is_running) await navigate({ to: "/party" });
      else await reload(queries, ...partyKeys);
      // The sheet of the party that has ended says so itself.
      return is_running ? undefined : message;
    },
  });
  return (
    <TwoColumns gap={3}>
      <Button onClick={onRename}>Umbenennen</Button>
      <Button kind="danger" isBusy={isPending} onClick={() => remove()}>
        {is_running ? "Party beenden" : "Löschen"}
      </Button>
    </TwoColumns>
  );
}

const { DialogForm, Field } = formFor(renameParty);

export function RenameParty({ party: { id, name }, onClose }: { party: ShownParty; onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  return (
    <DialogForm
      action="Umbenennen"
      onSend={async (body) => {
        const { message } = await call(renameParty, { params: { id }, body });
        await reload(queries, ...partyKeys);
        onClose();
        return message;
      }}
      onClose={onClose}
    >
      <Field
        name="name"
        placeholder={namePlaceholder}
        defaultValue={name}
        maxLength={partyLimits.name}
        autoComplete="off"
        required
      />
    </DialogForm>
  );
}
