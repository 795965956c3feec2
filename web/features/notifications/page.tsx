import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Bell, BellOff, BellRing } from "lucide-react";
import { use, useId, useState, type ChangeEvent, type ReactNode } from "react";

import {
  getNotificationSettings,
  getPushDevices,
  removePushDevice,
  saveNotificationSettings,
  testPush,
  type NotificationSettings,
  type PushDevice,
} from "#contract/notifications.ts";
import { call } from "#web/client/api.ts";
import { keyOf, replyOptions } from "#web/client/queries.ts";
import { formFor } from "#web/page/form.tsx";
import { disablePush, enablePush, usePushState, type PushState } from "#web/page/push.ts";
import { useReload } from "#web/page/queries.ts";
import { useClient, useGroup, usePermission, useStore } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardPage } from "#web/ui/card.tsx";
import { Switch } from "#web/ui/choice.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { IconDisc } from "#web/ui/icons.tsx";
import { Stack, TwoColumns } from "#web/ui/layout.tsx";
import { DeviceItem, ListItem, List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint } from "#web/ui/text.tsx";
import styles from "./page.module.css";
import { defaultQuietHours, describeDevice, describeTests, isAppleTouch } from "./rules.ts";

export function NotificationsPage(): ReactNode {
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
        <SettingsCard />
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
  const isOffline = useStore(useClient().isOffline);
  const reloadDevices = useReload(keyOf(getPushDevices));
  const enabling = useMutation({
    async mutationFn() {
      await enablePush(vapid_public_key);
      await reloadDevices();
    },
  });
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Dieses Gerät</h2>
      {state !== "starting" && <State state={state} />}
      {state === "starting" && !isOffline && <Skeleton size="large" />}
      {state === "starting" && isOffline && <Hint>Ohne Verbindung lässt sich das gerade nicht feststellen.</Hint>}
      {(state === "off" || state === "failed") && (
        <Button kind="primary" isWide isBusy={enabling.isPending} onClick={() => enabling.mutate()}>
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
  const state = usePushState();
  const devices = useQuery({
    ...replyOptions(getPushDevices),
    // Refetched when this browser's subscription begins or ends.
    queryKey: [...keyOf(getPushDevices), state === "on"],
    placeholderData: keepPreviousData,
  });
  const reloadDevices = useReload(keyOf(getPushDevices));
  const [results, setResults] = useState<readonly string[]>([]);
  const removing = useMutation({
    async mutationFn({ id, current }: PushDevice) {
      const { message } = await call(removePushDevice, { params: { id } });
      if (current) await disablePush();
      await reloadDevices();
      return message;
    },
  });
  const testing = useMutation({
    async mutationFn() {
      const tests = await call(testPush);
      await reloadDevices();
      setResults(describeTests(tests));
    },
  });
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
                      isBusy={removing.isPending && removing.variables.id === device.id}
                      disabled={isBusy}
                      onClick={() => removing.mutate(device)}
                    >
                      Ausschalten
                    </Button>
                  </DeviceItem>
                ))}
              </List>
              <Button isWide isBusy={testing.isPending} disabled={isBusy} onClick={() => testing.mutate()}>
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

function SettingsCard(): ReactNode {
  const heading = useId();
  const settings = useQuery(replyOptions(getNotificationSettings));
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Was du hören willst</h2>
      <QueryState
        query={settings}
        failedText="Die Einstellungen konnten gerade nicht geladen werden."
        skeleton={<Skeleton size="form" />}
      >
        {(shown) => <Settings settings={shown} />}
      </QueryState>
    </Stack>
  );
}

const settingsKey = replyOptions(getNotificationSettings).queryKey;

/** Requests run one after another, because each sends all settings. */
const scope = { id: "notification-settings" };

function useSaveAtOnce() {
  const queries = useQueryClient();
  return useMutation({
    scope,
    async mutationFn(_changes: Partial<NotificationSettings>) {
      await call(saveNotificationSettings, { body: queries.getQueryData(settingsKey)! });
    },
    async onMutate(changes) {
      // A late reply would undo the switch.
      await queries.cancelQueries({ queryKey: settingsKey });
      queries.setQueryData(settingsKey, (before) => before && { ...before, ...changes });
    },
    onError: () => queries.invalidateQueries({ queryKey: settingsKey }),
  });
}

type Kind = Exclude<keyof NotificationSettings, "quiet_hours">;

function Settings({ settings }: { settings: NotificationSettings }): ReactNode {
  const maySeeGameServers = usePermission("see-game-servers");
  const { mutate } = useSaveAtOnce();
  const bind = (name: Kind) => ({
    isOn: settings[name] === true,
    onChange: (isOn: boolean) => mutate({ [name]: isOn }),
  });
  const { quiet_hours: hours } = settings;
  return (
    <>
      <Stack gap={1}>
        <Switch label="Jemand trinkt ein Bier" {...bind("beers")} />
        <Switch label="Eine Party beginnt, endet oder braucht ein Foto" {...bind("party")} />
        {maySeeGameServers && <Switch label="An einem Game-Server tut sich etwas" {...bind("game_servers")} />}
        <Switch label="Mit deinen Türchen tut sich etwas" {...bind("calendar")} />
        <Switch label="Mit Ton und Vibration" {...bind("sound")} />
        <Switch
          label="Ruhezeit einhalten"
          isOn={hours !== null}
          onChange={(isOn) => mutate({ quiet_hours: isOn ? defaultQuietHours : null })}
        />
      </Stack>
      {hours && <QuietHoursForm hours={hours} />}
      <Hint>
        Von derselben Person kommt höchstens eine Nachricht in einer halben Stunde. Was in die Ruhezeit fällt, wird
        nicht nachgeholt, nur die Erinnerung an ein Türchen.
      </Hint>
    </>
  );
}

type Hours = NonNullable<NotificationSettings["quiet_hours"]>;

const form = formFor(saveNotificationSettings);

function QuietHoursForm({ hours }: { hours: Hours }): ReactNode {
  const queries = useQueryClient();
  const [typed, setTyped] = useState<Hours | null>(null);
  const quiet_hours = typed ?? hours;
  const saving = useMutation({
    scope,
    meta: { showsErrors: true },
    async mutationFn() {
      const settings = { ...queries.getQueryData(settingsKey)!, quiet_hours };
      await call(saveNotificationSettings, { body: settings });
      queries.setQueryData(settingsKey, settings);
    },
  });
  return (
    <form.Form
      action="Speichern"
      label="Ruhezeit"
      button={{ kind: "plain" }}
      readMore={() => ({ ...queries.getQueryData(settingsKey)!, quiet_hours })}
      onSend={async () => {
        await saving.mutateAsync();
        setTyped(null);
        return "Ruhezeit gespeichert.";
      }}
    >
      <QuietHours hours={quiet_hours} onChange={setTyped} />
    </form.Form>
  );
}

/** Shows an error about both fields at the second one. */
function QuietHours({ hours, onChange }: { hours: Hours; onChange: (hours: Hours) => void }): ReactNode {
  const errors = use(FormErrors);
  // An empty field is an error about both, too.
  const both = errors["from"] ? undefined : errors["quiet_hours"];
  const bind = (name: keyof Hours) => ({
    name,
    value: hours[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange({ ...hours, [name]: target.value }),
  });
  return (
    <FormErrors value={{ ...errors, until: errors["until"] ?? both }}>
      <TwoColumns as="fieldset" name="quiet_hours" aria-label="Ruhezeit">
        <Field type="time" label="Von" required {...bind("from")} />
        <Field type="time" label="Bis" required {...bind("until")} />
      </TwoColumns>
    </FormErrors>
  );
}
