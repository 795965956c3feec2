import { Bell, BellOff, BellRing } from "lucide-react";
import { startTransition, use, useId, useState, type ChangeEvent, type ReactNode } from "react";

import { saveNotificationSettings, type NotificationSettings } from "#contract/notifications.ts";
import { Form } from "#web/forms/form.tsx";
import { useAction } from "#web/forms/use-action.ts";
import { usePushState, type PushState } from "#web/page/push.ts";
import { useGroup, useMember } from "#web/page/session.ts";
import { DeviceItem } from "#web/shared/device-item.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardPage } from "#web/ui/card.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { IconDisc } from "#web/ui/icon-disc.tsx";
import { Stack, TwoColumns } from "#web/ui/layout.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import { List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import {
  enableThisDevice,
  removeDevice,
  saveSettings,
  sendTestPush,
  useNotificationSettings,
  usePushDevices,
} from "./api.ts";
import styles from "./page.module.css";
import { defaultQuietHours, describeDevice, describeTests, isAppleTouch } from "./rules.ts";

export function NotificationsPage(): ReactNode {
  const user = useMember();
  if (user === null) return null;
  return (
    <CardPage title="Benachrichtigungen">
      <Stack gap={5}>
        <Card>
          <ThisDeviceCard />
        </Card>
        <Card>
          <DevicesCard />
        </Card>
      </Stack>
      <Card>
        <SettingsCard maySeeGameServers={user.permissions.includes("see-game-servers")} />
      </Card>
    </CardPage>
  );
}

type KnownState = Exclude<PushState, "starting">;

const icons: Record<KnownState, typeof Bell> = {
  unsupported: BellOff,
  denied: BellOff,
  off: Bell,
  on: BellRing,
  failed: BellOff,
};

function ThisDeviceCard(): ReactNode {
  const heading = useId();
  const state = usePushState();
  const { vapid_public_key } = useGroup();
  const { isOffline } = useMember();
  const enabling = useAction(enableThisDevice);
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Dieses Gerät</h2>
      {state !== "starting" && <State state={state} />}
      {state === "starting" && !isOffline && <Skeleton size="large" />}
      {state === "starting" && isOffline && <Hint>Ohne Verbindung lässt sich das gerade nicht feststellen.</Hint>}
      {(state === "off" || state === "failed") && (
        <Button kind="primary" isWide isBusy={enabling.isPending} onClick={() => void enabling.run(vapid_public_key)}>
          {state === "off" ? "Einschalten" : "Nochmal versuchen"}
        </Button>
      )}
    </Stack>
  );
}

function State({ state }: { state: KnownState }): ReactNode {
  return (
    <ListItem
      data-align="start"
      role="status"
      picture={<IconDisc icon={icons[state]} size={24} tone={state === "on" ? "beer" : "plain"} />}
    >
      <Explanation state={state} />
    </ListItem>
  );
}

function Explanation({ state }: { state: KnownState }): ReactNode {
  switch (state) {
    case "on":
      return (
        <>
          <strong>Eingeschaltet</strong>
          <span>Du erfährst davon auch, wenn die Seite zu ist, solange du hier angemeldet bleibst.</span>
        </>
      );
    case "off":
      return (
        <>
          <strong>Ausgeschaltet</strong>
          <span>Schalte sie ein, und du erfährst, wenn jemand anstößt. Auch, wenn die Seite zu ist.</span>
        </>
      );
    case "denied":
      return (
        <>
          <strong>Vom Browser blockiert</strong>
          <span>
            Erlaube Benachrichtigungen für diese Seite in den Einstellungen deines Browsers, meist über das Symbol links
            neben der Adresse. Lade sie danach neu.
          </span>
        </>
      );
    case "failed":
      return (
        <>
          <strong>Das hat nicht geklappt</strong>
          <span>
            Dein Browser oder sein Push-Dienst macht gerade nicht mit. Klappt es auch später nicht, nimm einen anderen
            Browser.
          </span>
        </>
      );
    case "unsupported":
      return isAppleTouch(navigator) ? <AppleSteps /> : <Unsupported />;
  }
}

function AppleSteps(): ReactNode {
  return (
    <>
      <strong>Erst auf den Home-Bildschirm</strong>
      <span>
        iPhone und iPad benachrichtigen nur für installierte Apps. Tippe in Safari auf „Teilen“, dann auf „Zum
        Home-Bildschirm“, öffne die App von dort und komm wieder hierher.
      </span>
    </>
  );
}

function Unsupported(): ReactNode {
  return (
    <>
      <strong>Hier geht es leider nicht</strong>
      <span>
        Dieses Fenster kann keine Benachrichtigungen empfangen. Öffne die Seite in Chrome, Edge, Firefox oder Safari,
        nicht privat und nicht in einer anderen App.
      </span>
    </>
  );
}

function DevicesCard(): ReactNode {
  const heading = useId();
  const devices = usePushDevices(usePushState() === "on");
  const [results, setResults] = useState<readonly string[]>([]);
  const removing = useAction(removeDevice);
  const testing = useAction(async () => setResults(describeTests(await sendTestPush())));
  const isBusy = removing.isPending || testing.isPending;
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Deine Geräte</h2>
      <QueryState
        query={devices}
        failedText="Die Geräte konnten gerade nicht geladen werden."
        skeleton={<Skeleton size="large" />}
      >
        {(all) =>
          all.length === 0 ? (
            <Hint>Noch bekommt keins deiner Geräte Benachrichtigungen.</Hint>
          ) : (
            <>
              <List>
                {all.map((device) => (
                  <DeviceItem
                    key={device.id}
                    name={device.device}
                    isThisOne={device.current}
                    detail={describeDevice(device)}
                  >
                    <Button
                      aria-label={`Benachrichtigungen für ${device.device} ausschalten`}
                      isBusy={removing.pending?.[0].id === device.id}
                      disabled={isBusy}
                      onClick={() => void removing.run(device)}
                    >
                      Ausschalten
                    </Button>
                  </DeviceItem>
                ))}
              </List>
              <Button isWide isBusy={testing.isPending} disabled={isBusy} onClick={() => void testing.run()}>
                Test senden
              </Button>
            </>
          )
        }
      </QueryState>
      <Stack as="ul" gap={2} className={styles["results"]} role="status">
        {results.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </Stack>
    </Stack>
  );
}

function SettingsCard({ maySeeGameServers }: { maySeeGameServers: boolean }): ReactNode {
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
  // Fields without unsaved changes show what the member saves on other devices.
  const [changes, setChanges] = useState<Partial<NotificationSettings>>({});
  const { beers, party, game_servers, calendar, sound, quiet_hours } = { ...settings, ...changes };
  const change = (more: Partial<NotificationSettings>): void => setChanges({ ...changes, ...more });
  const send = async (): Promise<string> => {
    await saveSettings({ beers, party, game_servers, calendar, sound, quiet_hours });
    // A transition, so that it renders together with the update of the cached settings.
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

/** An error about both fields is shown at the second field. */
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
