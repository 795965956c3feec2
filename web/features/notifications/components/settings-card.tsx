import { startTransition, use, useId, useState, type ChangeEvent, type ReactNode } from "react";

import { saveNotificationSettings, type NotificationSettings } from "#contract/notifications.ts";
import { Form } from "#web/forms/form.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { TwoColumns, Stack } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { saveSettings, useNotificationSettings } from "../queries.ts";
import { defaultQuietHours } from "../rules.ts";

/** Shows the member's notification settings, which apply to all of the member's devices. */
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
  // Unsaved changes of the form. Fields without changes show what the member saves on other
  // devices.
  const [changes, setChanges] = useState<Partial<NotificationSettings>>({});
  const { beers, party, game_servers, calendar, sound, quiet_hours } = { ...settings, ...changes };
  const change = (more: Partial<NotificationSettings>): void => setChanges({ ...changes, ...more });
  const send = async (): Promise<string> => {
    await saveSettings({ beers, party, game_servers, calendar, sound, quiet_hours });
    // A transition, like the update of the cached settings: both render together, so that the old
    // values do not flash.
    startTransition(() => setChanges({}));
    return "Einstellungen gespeichert.";
  };
  return (
    <Form endpoint={saveNotificationSettings} action="Speichern" onSend={send}>
      <Stack gap={1}>
        <Checkbox
          name="beers"
          label="Jemand trinkt ein Bier"
          checked={beers}
          onChange={({ target }) => change({ beers: target.checked })}
        />
        <Checkbox
          name="party"
          label="Eine Party beginnt"
          checked={party === true}
          onChange={({ target }) => change({ party: target.checked })}
        />
        {maySeeGameServers && (
          <Checkbox
            name="game_servers"
            label="An einem Game-Server tut sich etwas"
            checked={game_servers}
            onChange={({ target }) => change({ game_servers: target.checked })}
          />
        )}
        <Checkbox
          name="calendar"
          label="Mit deinen Türchen tut sich etwas"
          checked={calendar === true}
          onChange={({ target }) => change({ calendar: target.checked })}
        />
        <Checkbox
          name="sound"
          label="Mit Ton und Vibration"
          checked={sound}
          onChange={({ target }) => change({ sound: target.checked })}
        />
        <Checkbox
          name="quiet"
          label="Ruhezeit einhalten"
          checked={quiet_hours !== null}
          onChange={({ target }) =>
            change({ quiet_hours: target.checked ? (settings.quiet_hours ?? defaultQuietHours) : null })
          }
        />
      </Stack>
      {quiet_hours && <QuietHours hours={quiet_hours} onChange={(hours) => change({ quiet_hours: hours })} />}
      <Hint>
        Von derselben Person kommt höchstens eine Nachricht in einer halben Stunde. Was in die Ruhezeit fällt, wird
        nicht nachgeholt, nur die Erinnerung an ein Türchen.
      </Hint>
    </Form>
  );
}

type Hours = NonNullable<NotificationSettings["quiet_hours"]>;

/**
 * Shows the two time fields of the quiet hours. An error about both fields is shown at the second
 * field.
 */
function QuietHours({ hours, onChange }: { hours: Hours; onChange: (hours: Hours) => void }): ReactNode {
  const errors = use(FormErrors);
  const bind = (name: keyof Hours) => ({
    name,
    value: hours[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange({ ...hours, [name]: target.value }),
  });
  return (
    <FormErrors value={{ ...errors, until: errors["until"] ?? errors["quiet_hours"] }}>
      <TwoColumns as="fieldset" name="quiet_hours" aria-label="Ruhezeit">
        <Field type="time" label="Von" required {...bind("from")} />
        <Field type="time" label="Bis" required {...bind("until")} />
      </TwoColumns>
    </FormErrors>
  );
}
