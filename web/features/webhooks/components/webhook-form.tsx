import { Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";

import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  webhookEvents,
  webhookFormats,
  type Webhook,
  type WebhookEvent,
  type WebhookFormat,
} from "#contract/webhooks.ts";
import { change, request } from "#web/admin/api.ts";
import { ConfirmStep } from "#web/forms/confirm.tsx";
import { DialogForm } from "#web/forms/dialog-form.tsx";
import { textOf, textsOf } from "#web/forms/use-form.ts";
import { CopyBox } from "#web/shell/share-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { timeAgo } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { Select } from "#web/ui/select.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { eventHints, eventLabels, formatGuides, formatLabels } from "../admin-rules.ts";

const formatOptions = webhookFormats.map((format) => ({ value: format, label: formatLabels[format] }));

/**
 * Asks for the data of a new webhook. After creating it, shows the secret for its signatures, once,
 * if its format has signatures.
 */
export function NewWebhookForm({ onClose }: { onClose: () => void }): ReactNode {
  const [format, setFormat] = useState<WebhookFormat>("discord");
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhookEvents);
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretStep secret={secret} onClose={onClose} />;
  const { urlHint, urlPlaceholder, tokenLabel, isTokenRequired } = formatGuides[format];
  return (
    <DialogForm
      endpoint={createWebhook}
      action="Hinzufügen"
      onSend={async (values) => {
        const body = { ...textsOf(values, "name", "url"), format, token: textOf(values, "token"), events: [...events] };
        const created = await request(createWebhook, { body });
        if (created.secret === null) onClose();
        else setSecret(created.secret);
        return created.secret === null ? "Webhook hinzugefügt." : undefined;
      }}
      onClose={onClose}
    >
      <Field label="Name" name="name" placeholder="Unser Chat" maxLength={64} autoComplete="off" required />
      <Select
        label="Empfänger"
        name="format"
        options={formatOptions}
        defaultValue={format}
        onChange={(value) => setFormat(webhookFormats.find((one) => one === value)!)}
      />
      <Field
        label="Adresse"
        name="url"
        hint={urlHint}
        placeholder={urlPlaceholder}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      {tokenLabel !== null && (
        <Field label={tokenLabel} name="token" type="password" autoComplete="off" required={isTokenRequired} />
      )}
      <EventSwitches events={events} onChange={setEvents} />
    </DialogForm>
  );
}

/** Changes or removes a webhook, and lists its last deliveries. */
export function WebhookForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }): ReactNode {
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook.events);
  const [isRemoving, setRemoving] = useState(false);
  const params = { id: webhook.id };
  if (isRemoving) {
    return (
      <ConfirmStep
        action="Entfernen"
        onConfirm={async () => {
          const text = await change(deleteWebhook, { params });
          onClose();
          return text;
        }}
        onClose={() => setRemoving(false)}
      >
        <p>„{webhook.name}“ bekommt dann nichts mehr, auch nicht, was noch wartet.</p>
      </ConfirmStep>
    );
  }
  const remove = (
    <Button kind="danger" onClick={() => setRemoving(true)}>
      <Trash2 size={20} />
      Entfernen …
    </Button>
  );
  return (
    <ConfirmStep
      endpoint={changeWebhook}
      action="Speichern"
      kind="primary"
      onConfirm={(values) =>
        change(changeWebhook, { params, body: { ...textsOf(values, "name"), events: [...events] } })
      }
      onClose={onClose}
      otherAction={remove}
    >
      <Field label="Name" name="name" defaultValue={webhook.name} maxLength={64} autoComplete="off" required />
      <EventSwitches events={events} onChange={setEvents} />
      {webhook.deliveries.length > 0 && <Deliveries deliveries={webhook.deliveries} />}
    </ConfirmStep>
  );
}

interface EventSwitchesProps {
  readonly events: readonly WebhookEvent[];
  readonly onChange: (events: readonly WebhookEvent[]) => void;
}

function EventSwitches({ events, onChange }: EventSwitchesProps): ReactNode {
  return (
    <fieldset>
      <legend>Ereignisse</legend>
      {webhookEvents.map((event) => (
        <Switch
          key={event}
          label={eventLabels[event]}
          hint={eventHints[event]}
          isOn={events.includes(event)}
          onChange={(isOn) => onChange(isOn ? [...events, event] : events.filter((one) => one !== event))}
        />
      ))}
    </fieldset>
  );
}

const stateLabels: Record<Webhook["deliveries"][number]["state"], string> = {
  waiting: "wartet",
  delivered: "angekommen",
  dropped: "verworfen",
};

function Deliveries({ deliveries }: Pick<Webhook, "deliveries">): ReactNode {
  return (
    <Stack gap={2}>
      <h3>Zuletzt</h3>
      <List label="Letzte Nachrichten">
        {deliveries.map(({ id, event, created_at, state, attempts, answer }) => (
          <Stack key={id} as="li" gap={0}>
            <span>
              {eventLabels[event]}, {timeAgo(Date.parse(created_at), Date.now())}: {stateLabels[state]}
            </span>
            <Hint as="span">
              {answer ?? "Noch kein Versuch."}
              {attempts > 1 && ` ${attempts} Versuche.`}
            </Hint>
          </Stack>
        ))}
      </List>
    </Stack>
  );
}

function SecretStep({ secret, onClose }: { secret: string; onClose: () => void }): ReactNode {
  return (
    <Stack>
      <CopyBox text={secret} what="Der Schlüssel" />
      <Hint data-align="center">Damit prüft dein Programm die Signatur. Der Schlüssel wird nur jetzt gezeigt.</Hint>
      <DialogActions>
        <Button onClick={onClose}>Fertig</Button>
      </DialogActions>
    </Stack>
  );
}
