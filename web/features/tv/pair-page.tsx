import { useLocation, useNavigate } from "@tanstack/react-router";
import { TabletSmartphone, Tv } from "lucide-react";
import { useState, type ReactNode } from "react";

import { pairTv, type TvScope } from "#contract/tv.ts";
import { useAdminCall } from "#web/admin/api.ts";
import { formFor } from "#web/page/form.tsx";
import { usePermission } from "#web/page/session.ts";
import { Card, CardPage } from "#web/ui/card.tsx";
import { Choice } from "#web/ui/choice.tsx";
import { TwoColumns } from "#web/ui/layout.tsx";
import { Hint } from "#web/ui/text.tsx";

/** The QR code of an unpaired device leads here. */
export function PairPage(): ReactNode {
  return (
    <CardPage title="Bildschirm verbinden">
      <Card>
        <PairingForm />
      </Card>
    </CardPage>
  );
}

const pairing = formFor(pairTv);

export function PairingForm(): ReactNode {
  // The address comes from the QR code of the device.
  const hash = useLocation({ select: (location) => location.hash });
  const scanned = new URLSearchParams(hash);
  const code = scanned.get("code") ?? "";
  const isAdmin = usePermission("admin");
  const [chosen, setChosen] = useState<TvScope | null>(null);
  const scope = isAdmin ? (chosen ?? (scanned.get("as") === "tablet" ? "tablet" : "tv")) : "tv";
  const navigate = useNavigate();
  const call = useAdminCall();
  return (
    // The key lets the field show another scanned code.
    <pairing.Form
      key={code}
      action="Verbinden"
      readMore={() => ({ scope })}
      onSend={async (body, form) => {
        const { message } = await call(pairTv, { body });
        form.reset();
        await navigate({ to: ".", replace: true, resetScroll: false });
        return message;
      }}
      label="Bildschirm verbinden"
    >
      <Hint>
        {scope === "tablet"
          ? `Öffne auf dem Tablet ${location.host}/tablet. Dort steht ein Code. Wer vor dem Tablet steht, kann dann für alle zapfen, die dort zu sehen sind.`
          : `Öffne auf dem Bildschirm ${location.host}/tv. Dort steht ein Code.`}
      </Hint>
      {!isAdmin && <Hint>Eine Zapfstelle, an der jeder sein Gesicht antippt, verbindet die Verwaltung.</Hint>}
      {isAdmin && <Choice label="Was ist es?" options={scopes} value={scope} onChange={setChosen} place="page" />}
      <TwoColumns>
        <pairing.Field
          name="code"
          defaultValue={code}
          placeholder="ACD 346"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
        <pairing.Field {...(scope === "tablet" ? tabletName : tvName)} />
      </TwoColumns>
    </pairing.Form>
  );
}

const scopes = [
  { value: "tv", label: "Fernseher", icon: <Tv size={20} /> },
  { value: "tablet", label: "Zapfstelle", icon: <TabletSmartphone size={20} /> },
] as const;

export const tvName = {
  name: "name",
  label: "Wo steht er?",
  placeholder: "Theke",
  maxLength: 32,
  autoComplete: "off",
  required: true,
} as const;
const tabletName = { ...tvName, label: "Wo ist sie?", placeholder: "Kühlschrank" } as const;
