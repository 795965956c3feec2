import { Plus, Send } from "lucide-react";
import { useState, type ReactNode } from "react";

import { resumeWebhook, testWebhook, type Webhook } from "#contract/webhooks.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { change, request } from "#web/admin/api.ts";
import { EntityDialog } from "#web/admin/dialogs.tsx";
import { useAction } from "#web/forms/use-action.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { Button } from "#web/ui/button.tsx";
import { Badge, Badges, EntityItem, EntityList } from "#web/ui/entity-list.tsx";
import { timeAgo } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Row } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { eventLabels, formatLabels } from "./admin-rules.ts";
import { NewWebhookForm, WebhookForm } from "./components/webhook-form.tsx";
import { useWebhooks } from "./queries.ts";

export function WebhooksPage(): ReactNode {
  const webhooks = useWebhooks();
  const [edited, setEdited] = useState<Webhook | "new" | null>(null);
  // Closes the dialog only if it still shows this webhook: the administrator may have opened
  // another dialog before the answer arrived.
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
  "Programm. Wer Pause macht oder sich nicht zeigt, kommt darin nicht vor.";

function WebhookLine({ webhook, onEdit }: { webhook: Webhook; onEdit: () => void }): ReactNode {
  const { id, name, format, host, events, by, paused_at, deliveries } = webhook;
  const params = { id };
  const test = useAction(async () => {
    const { is_delivered, message } = await request(testWebhook, { params });
    showFlash({ type: is_delivered ? "success" : "error", text: message });
  });
  const resume = useAction(() => change(resumeWebhook, { params }));
  const actions = (
    <Row gap={2}>
      {paused_at !== null && (
        <Button kind="primary" isBusy={resume.isPending} onClick={() => void resume.run()}>
          Fortsetzen
        </Button>
      )}
      <Button isBusy={test.isPending} aria-label={`Testen: ${name}`} onClick={() => void test.run()}>
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
