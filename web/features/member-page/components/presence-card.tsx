import { useId, useState, type ReactNode } from "react";

import type { User } from "#contract/members.ts";
import type { PresenceSettings } from "#contract/presence.ts";
import { useAction } from "#web/forms/use-action.ts";
import { useCurrentMember } from "#web/session/session.ts";
import { Stack } from "#web/ui/layout.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { savePresence } from "../queries.ts";
import { MoreLink } from "./more-link.tsx";

/**
 * Shows the member's settings: hiding the presence and the member page from others, and pausing.
 */
export function PresenceCard({ user }: { user: User }): ReactNode {
  const { is_hidden, is_paused, is_mat_hidden } = useCurrentMember(user);
  const heading = useId();
  const { run, isPending } = useAction(savePresence);
  const [chosen, setChosen] = useState<PresenceSettings | null>(null);
  const settings = chosen ?? { is_shown: !is_hidden, is_paused: is_paused === true, is_mat_shown: !is_mat_hidden };
  const save = async (changed: PresenceSettings): Promise<void> => {
    setChosen(changed);
    await run(changed);
    setChosen(null);
  };
  return (
    <Stack as="section" gap={3} aria-labelledby={heading}>
      <h2 id={heading}>Am Tisch</h2>
      <Switch
        label="Zeigen, wenn ich hier bin"
        hint="Ihr seht euch in der Runde und könnt zurückprosten. Sonst siehst auch du nicht, wer da ist."
        isOn={settings.is_shown}
        disabled={isPending}
        onChange={(isOn) => void save({ ...settings, is_shown: isOn })}
      />
      <Switch
        label="Andere dürfen meinen Deckel sehen"
        hint="Sie kommen über dein Bild in der Rangliste hierher. Diese Schalter und Türchen, die noch zu sind, siehst nur du."
        isOn={settings.is_mat_shown === true}
        disabled={isPending}
        onChange={(isOn) => void save({ ...settings, is_mat_shown: isOn })}
      />
      <Switch
        label="Pause"
        hint="Du stehst nicht unter den Säufern und nicht in der Runde, dein Deckel liegt verdeckt, und ihr meldet einander keine Biere. Gezählt wird weiter."
        isOn={settings.is_paused}
        disabled={isPending}
        onChange={(isOn) => void save({ ...settings, is_paused: isOn })}
      />
      <MoreLink href="/notifications">Benachrichtigungen</MoreLink>
    </Stack>
  );
}
