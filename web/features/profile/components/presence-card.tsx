import { useId, type ReactNode } from "react";

import type { User } from "#contract/members.ts";
import { useMutation } from "#web/platform/use-mutation.ts";
import { Stack } from "#web/ui/layout.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { savePresence } from "../queries.ts";

/** The presence settings: whether the others see the member, and the pause. */
export function PresenceCard({ user: { is_hidden, is_paused } }: { user: User }): ReactNode {
  const heading = useId();
  const { run, pending } = useMutation(savePresence);
  const settings = pending?.[0] ?? { is_shown: !is_hidden, is_paused: is_paused === true };
  return (
    <Stack as="section" gap={3} aria-labelledby={heading}>
      <h2 id={heading}>Am Tisch</h2>
      <Switch
        label="Zeigen, wenn ich hier bin"
        hint="Die anderen sehen dich in der Runde und können zurückprosten – und du sie. Sonst siehst du auch nicht, wer da ist."
        isOn={settings.is_shown}
        disabled={pending !== null}
        onChange={(isOn) => void run({ ...settings, is_shown: isOn })}
      />
      <Switch
        label="Pause"
        hint="Du stehst nicht unter den Säufern. Deine Biere werden niemandem gemeldet und die der anderen dir auch nicht. Gezählt wird weiter."
        isOn={settings.is_paused}
        disabled={pending !== null}
        onChange={(isOn) => void run({ ...settings, is_paused: isOn })}
      />
    </Stack>
  );
}
