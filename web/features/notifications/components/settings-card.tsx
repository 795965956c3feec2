import { useId, useState, type ReactNode } from "react";

import { saveNotificationSettings as saveNotificationSettingsEndpoint } from "#contract/notifications.ts";
import type { NotificationSettings } from "#contract/notifications.ts";
import { useForm } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
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
  const { from, until } = settings.quiet_hours ?? defaultQuietHours;
  const { errors, isPending, onSubmit } = useForm(saveNotificationSettingsEndpoint, async (values) => {
    await saveSettings(parseSettings(values));
    return "Einstellungen gespeichert.";
  });
  return (
    <FormErrors value={{ ...errors, until: errors["until"] ?? errors["quiet_hours"] }}>
      <form onSubmit={onSubmit} noValidate>
        <Stack as="fieldset" disabled={isPending}>
          <Stack gap={0}>
            <Checkbox name="beers" label="Jemand trinkt ein Bier" defaultChecked={settings.beers} />
            {maySeeGameServers ? (
              <Checkbox
                name="game_servers"
                label="An einem Game-Server tut sich etwas"
                defaultChecked={settings.game_servers}
              />
            ) : (
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
          {hasQuiet && (
            <Pair as="fieldset" name="quiet_hours" aria-label="Ruhezeit">
              <Field type="time" name="from" label="Von" required defaultValue={from} />
              <Field type="time" name="until" label="Bis" required defaultValue={until} />
            </Pair>
          )}
          <Hint>
            Von derselben Person kommt höchstens eine Nachricht in einer halben Stunde. Was in die Ruhezeit fällt, wird
            nicht nachgeholt.
          </Hint>
          <Button type="submit" kind="primary" isBusy={isPending} isWide>
            Speichern
          </Button>
        </Stack>
      </form>
    </FormErrors>
  );
}
