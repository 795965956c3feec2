import { use, useId, useState, type ReactNode } from "react";

import { saveNotificationSettings, type NotificationSettings } from "#contract/notifications.ts";
import { Form } from "#web/platform/form.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Pair, Stack } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { saveSettings, useNotificationSettings } from "../queries.ts";
import { parseSettings, defaultQuietHours } from "../rules.ts";

/** What the member wants to be notified of, on all of her or his devices. */
export function SettingsCard({ maySeeGameServers }: { maySeeGameServers: boolean }): ReactNode {
  const heading = useId();
  const settings = useNotificationSettings();
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Was du hören willst</h2>
      <QueryState
        query={settings}
        failedText="Die Einstellungen konnten gerade nicht geladen werden."
        skeleton={<Skeleton size="form" />}
      >
        {(shown) => <SettingsForm settings={shown} maySeeGameServers={maySeeGameServers} />}
      </QueryState>
    </Stack>
  );
}

interface SettingsFormProps {
  readonly settings: NotificationSettings;
  readonly maySeeGameServers: boolean;
}

function SettingsForm({ settings, maySeeGameServers }: SettingsFormProps): ReactNode {
  const [hasQuiet, setHasQuiet] = useState(settings.quiet_hours !== null);
  const send = async (values: FormData): Promise<string> => {
    await saveSettings(parseSettings(values));
    return "Einstellungen gespeichert.";
  };
  return (
    <Form endpoint={saveNotificationSettings} action="Speichern" onSend={send}>
      <Stack gap={0}>
        <Checkbox name="beers" label="Jemand trinkt ein Bier" defaultChecked={settings.beers} />
        {maySeeGameServers ? (
          <Checkbox
            name="game_servers"
            label="An einem Game-Server tut sich etwas"
            defaultChecked={settings.game_servers}
          />
        ) : (
          // Keeps the setting of a member who may not see game servers any more.
          settings.game_servers && <input type="hidden" name="game_servers" value="on" />
        )}
        <Checkbox name="sound" label="Mit Ton und Vibration" defaultChecked={settings.sound} />
        <Checkbox
          name="quiet"
          label="Ruhezeit einhalten"
          checked={hasQuiet}
          onChange={({ target }) => setHasQuiet(target.checked)}
        />
      </Stack>
      {hasQuiet && <QuietHours hours={settings.quiet_hours ?? defaultQuietHours} />}
      <Hint>
        Von derselben Person kommt höchstens eine Nachricht in einer halben Stunde. Was in die Ruhezeit fällt, wird
        nicht nachgeholt.
      </Hint>
    </Form>
  );
}

/** What is wrong with both together stands at the second one. */
function QuietHours({
  hours: { from, until },
}: {
  hours: NonNullable<NotificationSettings["quiet_hours"]>;
}): ReactNode {
  const errors = use(FormErrors);
  return (
    <FormErrors value={{ ...errors, until: errors["until"] ?? errors["quiet_hours"] }}>
      <Pair as="fieldset" name="quiet_hours" aria-label="Ruhezeit">
        <Field type="time" name="from" label="Von" required defaultValue={from} />
        <Field type="time" name="until" label="Bis" required defaultValue={until} />
      </Pair>
    </FormErrors>
  );
}
