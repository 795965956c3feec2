import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import type { InputOf } from "#contract/endpoint.ts";
import { getTapSettings, saveTapSettings, type TapSettings } from "#contract/tap-settings.ts";
import { call } from "#web/client/api.ts";
import { keyOf, replyOptions } from "#web/client/queries.ts";
import { formFor } from "#web/page/form.tsx";
import { useClient } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Switch } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint } from "#web/ui/text.tsx";

/** How others may book a beer for the member. */
export function TapSettingsSection(): ReactNode {
  const heading = useId();
  const query = useQuery(replyOptions(getTapSettings));
  return (
    <Stack as="section" gap={3} aria-labelledby={heading}>
      <h2 id={heading}>Striche von anderen</h2>
      <QueryState
        query={query}
        failedText="Diese Einstellungen konnten gerade nicht geladen werden."
        skeleton={<Skeleton lines={3} />}
      >
        {(settings) => <Settings settings={settings} />}
      </QueryState>
    </Stack>
  );
}

type Change = InputOf<typeof saveTapSettings>;

function useSaving() {
  const { queries } = useClient();
  return useMutation({
    mutationFn: (body: Change) => call(saveTapSettings, { body }),
    onSuccess: (saved) => queries.setQueryData<TapSettings>(keyOf(getTapSettings), saved),
  });
}

function Settings({ settings }: { settings: TapSettings }): ReactNode {
  const { mutate, isPending, variables } = useSaving();
  const [isOpen, setOpen] = useState(false);
  const { is_tappable, is_on_tablets, has_pin } = { ...settings, ...(isPending && variables) };
  return (
    <>
      <Switch
        label="Andere dürfen einen Strich für mich machen"
        hint="Mit „Für …“ in ihrer App. Du siehst im Verlauf, wer es war, und kannst ihn wieder entfernen."
        isOn={is_tappable === true}
        disabled={isPending}
        onChange={(isOn) => mutate({ is_tappable: isOn })}
      />
      <Switch
        label="Mein Gesicht an Zapfstellen zeigen"
        hint="Das sind Tablets der Gruppe, zum Beispiel am Kühlschrank."
        isOn={is_on_tablets === true}
        disabled={isPending}
        onChange={(isOn) => mutate({ is_on_tablets: isOn })}
      />
      {is_on_tablets === true && (
        <Row>
          <Button onClick={() => setOpen(true)}>
            <KeyRound size={20} />
            {has_pin ? "PIN ändern" : "PIN festlegen"}
          </Button>
          {has_pin && (
            <Button isBusy={isPending && variables.pin === null} onClick={() => mutate({ pin: null })}>
              PIN entfernen
            </Button>
          )}
        </Row>
      )}
      <Dialog title="PIN für Zapfstellen" isOpen={isOpen} onClose={() => setOpen(false)}>
        <PinForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

const pinForm = formFor(saveTapSettings);

function PinForm({ onClose }: { onClose: () => void }): ReactNode {
  const { mutateAsync } = useSaving();
  return (
    <pinForm.DialogForm
      action="Speichern"
      onSend={async ({ pin }) => {
        await mutateAsync({ pin });
        onClose();
        return "PIN gespeichert.";
      }}
      onClose={onClose}
    >
      <Hint>Ohne sie zapft dort niemand auf deinen Namen. Nimm nicht die deiner Bankkarte.</Hint>
      <pinForm.Field
        name="pin"
        label="PIN mit vier Ziffern"
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        required
      />
    </pinForm.DialogForm>
  );
}
