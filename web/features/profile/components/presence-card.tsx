import { startTransition, useId, useState, type ReactNode } from "react";

import type { User } from "#contract/members.ts";
import type { PresenceSettings } from "#contract/presence.ts";
import { useMutation } from "#web/platform/use-mutation.ts";
import { Stack } from "#web/ui/layout.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { savePresence } from "../queries.ts";

/** The presence settings: whether the others see the member, and the pause. */
export function PresenceCard({ user: { is_hidden, is_paused } }: { user: User }): ReactNode {
  const heading = useId();
  const { run, isPending } = useMutation(savePresence);
  const [chosen, setChosen] = useState<PresenceSettings | null>(null);
  const settings = chosen ?? { is_shown: !is_hidden, is_paused: is_paused === true };
  const save = async (changed: PresenceSettings): Promise<void> => {
    setChosen(changed);
    await run(changed);
    // With the changed member, who comes as a transition: before it the switch would flip back for a moment.
    startTransition(() => setChosen(null));
  };
  return (
    <Stack as="section" gap={3} aria-labelledby={heading}>
      <h2 id={heading}>Am Tisch</h2>
      <Switch
        label="Zeigen, wenn ich hier bin"
        hint="Die anderen sehen dich in der Runde und können zurückprosten – und du sie. Sonst siehst du auch nicht, wer da ist."
        isOn={settings.is_shown}
        disabled={isPending}
        onChange={(isOn) => void save({ ...settings, is_shown: isOn })}
      />
      <Switch
        label="Pause"
        hint="Du stehst nicht unter den Säufern. Deine Biere werden niemandem gemeldet und die der anderen dir auch nicht. Gezählt wird weiter."
        isOn={settings.is_paused}
        disabled={isPending}
        onChange={(isOn) => void save({ ...settings, is_paused: isOn })}
      />
    </Stack>
  );
}
