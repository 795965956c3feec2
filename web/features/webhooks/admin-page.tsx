import { useMutation, useQuery } from "@tanstack/react-query";
import { Plus, Send, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";

import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhooks,
  resumeWebhook,
  testWebhook,
  webhookEvents,
  webhookFormats,
  type Webhook,
  type WebhookEvent,
  type WebhookFormat,
} from "#contract/webhooks.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { useAdminCall } from "#web/admin/api.ts";
import { EntityDialog } from "#web/admin/dialogs.tsx";
import { replyOptions } from "#web/client/queries.ts";
import { ConfirmStep } from "#web/page/confirm.tsx";
import { formFor } from "#web/page/form.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { CopyBox } from "#web/page/share-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Switch } from "#web/ui/choice.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { timeAgo } from "#web/ui/german.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { Badge, Badges, EntityItem, EntityList, List } from "#web/ui/list.tsx";
import { Hint } from "#web/ui/text.tsx";
import { eventHints, eventLabels, formatGuides, formatLabels } from "./rules.ts";

export function WebhooksPage(): ReactNode {
  const webhooks = useQuery(replyOptions(getWebhooks));
  const [edited, setEdited] = useState<Webhook | "new" | null>(null);
  // Another dialog may be open by now.
  const close = (entity: Webhook | "new"): void => setEdited((now) => (now === entity ? null : now));
  const add = (
    <Button kind="primary" onClick={() => setEdited("new")}>
      <Plus size={20} />
      Hinzufügen
    </Button>
  );
  return (
    <AdminLayout area="/admin/webhooks" action={add}>
      <EntityList query={webhooks} what="Die Webhooks" emptyText={emptyText} lines={2}>
        {(all) => (
          <List label="Webhooks">
            {all.map((webhook) => (
              <WebhookLine key={webhook.id} webhook={webhook} onEdit={() => setEdited(webhook)} />
            ))}
          </List>
        )}
      </EntityList>
      <EntityDialog
        entity={edited}
        title={(webhook) => (webhook === "new" ? "Webhook hinzufügen" : webhook.name)}
        onClose={() => setEdited(null)}
      >
        {(webhook) =>
          webhook === "new" ? (
            <NewWebhookForm onClose={() => close(webhook)} />
          ) : (
            <WebhookForm webhook={webhook} onClose={() => close(webhook)} />
          )
        }
      </EntityDialog>
    </AdminLayout>
  );
}

const emptyText =
  "Noch kein Webhook. Er meldet Biere, runde Zahlen, Partys, Game-Server und Türchen in euren Chat oder an ein eigenes " +
  "Programm. Wer still oder unsichtbar ist, kommt darin nicht vor.";

function WebhookLine({ webhook, onEdit }: { webhook: Webhook; onEdit: () => void }): ReactNode {
  const { id, name, format, host, events, by, paused_at, deliveries } = webhook;
  const params = { id };
  const call = useAdminCall();
  const test = useMutation({
    mutationFn: () => call(testWebhook, { params }),
    onSuccess: ({ is_delivered, message }) => showMessage({ type: is_delivered ? "success" : "error", text: message }),
  });
  const resume = useMutation({ mutationFn: async () => (await call(resumeWebhook, { params })).message });
  const actions = (
    <Row gap={2}>
      {paused_at !== null && (
        <Button kind="primary" isBusy={resume.isPending} onClick={() => resume.mutate()}>
          Fortsetzen
        </Button>
      )}
      <Button isBusy={test.isPending} aria-label={`Testen: ${name}`} onClick={() => test.mutate()}>
        <Send size={20} />
        Testen
      </Button>
      <Button aria-label={`Bearbeiten: ${name}`} onClick={onEdit}>
        Bearbeiten
      </Button>
    </Row>
  );
  const [last] = deliveries;
  return (
    <EntityItem actions={actions}>
      <strong>{name}</strong>
      <Hint as="span">
        {formatLabels[format]} · {host}
        {by !== null && ` · von ${by}`}
      </Hint>
      <Badges>
        {paused_at !== null && <Badge kind="bad">pausiert</Badge>}
        {events.map((event) => (
          <Badge key={event}>{eventLabels[event]}</Badge>
        ))}
      </Badges>
      <Hint as="span">{last ? describeDelivery(last) : "Noch nichts gesendet."}</Hint>
    </EntityItem>
  );
}

function describeDelivery({ state, answer, created_at }: Webhook["deliveries"][number]): string {
  const ago = timeAgo(Date.parse(created_at), Date.now());
  if (state === "waiting") return `Wartet, ${ago}. ${answer ?? ""}`.trim();
  return `Zuletzt ${ago}: ${answer ?? "nicht gesendet."}`;
}

const formatOptions = webhookFormats.map((format) => ({ value: format, label: formatLabels[format] }));

const creation = formFor(createWebhook);

/** Shows the secret for signatures once. */
function NewWebhookForm({ onClose }: { onClose: () => void }): ReactNode {
  const [format, setFormat] = useState<WebhookFormat>("discord");
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhookEvents);
  const [secret, setSecret] = useState<string | null>(null);
  const call = useAdminCall();
  if (secret !== null) return <SecretStep secret={secret} onClose={onClose} />;
  const { urlHint, urlPlaceholder, tokenLabel, isTokenRequired } = formatGuides[format];
  return (
    <creation.DialogForm
      action="Hinzufügen"
      readMore={() => ({ events: [...events], ...(tokenLabel === null && { token: "" }) })}
      onSend={async (body) => {
        const created = await call(createWebhook, { body });
        if (created.secret === null) onClose();
        else setSecret(created.secret);
        return created.secret === null ? "Webhook hinzugefügt." : undefined;
      }}
      onClose={onClose}
    >
      <creation.Field name="name" placeholder="Unser Chat" maxLength={64} autoComplete="off" required />
      <creation.Select
        label="Empfänger"
        name="format"
        options={formatOptions}
        defaultValue={format}
        onChange={(value) => setFormat(webhookFormats.find((one) => one === value)!)}
      />
      <creation.Field
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
        <creation.Field label={tokenLabel} name="token" type="password" autoComplete="off" required={isTokenRequired} />
      )}
      <EventSwitches events={events} onChange={setEvents} />
    </creation.DialogForm>
  );
}

const edit = formFor(changeWebhook);

function WebhookForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }): ReactNode {
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook.events);
  const [isRemoving, setRemoving] = useState(false);
  const params = { id: webhook.id };
  const call = useAdminCall();
  if (isRemoving) {
    return (
      <ConfirmStep
        action="Entfernen"
        onConfirm={async () => {
          const { message } = await call(deleteWebhook, { params });
          onClose();
          return message;
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
    <edit.DialogForm
      action="Speichern"
      readMore={() => ({ events: [...events] })}
      onSend={async (body) => {
        const { message } = await call(changeWebhook, { params, body });
        onClose();
        return message;
      }}
      onClose={onClose}
      otherAction={remove}
    >
      <edit.Field name="name" defaultValue={webhook.name} maxLength={64} autoComplete="off" required />
      <EventSwitches events={events} onChange={setEvents} />
      {webhook.deliveries.length > 0 && <Deliveries deliveries={webhook.deliveries} />}
    </edit.DialogForm>
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
