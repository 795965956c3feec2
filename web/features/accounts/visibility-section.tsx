import { useMutation } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";

import type { User } from "#contract/members.ts";
import { saveVisibility } from "#contract/presence.ts";
import { type Visibility, visibilities } from "#contract/visibility.ts";
import { call } from "#web/client/api.ts";
import { useClient } from "#web/page/session.ts";
import { Radio } from "#web/ui/choice.tsx";
import { Stack } from "#web/ui/layout.tsx";

const texts: Record<Visibility, { readonly label: string; readonly hint: string }> = {
  visible: {
    label: "Sichtbar",
    hint: "Ihr seht euch in der Runde und prostet euch zu. Dein Deckel liegt offen.",
  },
  quiet: {
    label: "Still",
    hint: "Dein Bier zählt, aber niemand hört davon: keine Rangliste, keine Party, kein Deckel. Wer da ist, siehst auch du nicht.",
  },
  hidden: {
    label: "Unsichtbar",
    hint: "Wie still, und dein Name steht auch an der Zapfstelle und hinter keinem Türchen. Bei ihrer Verlosung bist du nicht dabei.",
  },
};

/** Chooses how much the other members see of the member. */
export function VisibilitySection({ user }: { user: User }): ReactNode {
  const { member } = useClient();
  const [heading, name] = [useId(), useId()];
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (visibility: Visibility) => call(saveVisibility, { body: { visibility } }),
    onSuccess: ({ data }) => member.set(data),
  });
  const { visibility: saved = "visible" } = user;
  const chosen = isPending ? variables : saved;
  return (
    <Stack as="section" gap={3} aria-labelledby={heading}>
      <h2 id={heading}>Für die anderen bist du</h2>
      <Stack role="radiogroup" gap={2} aria-labelledby={heading}>
        {visibilities.map((visibility) => (
          <Radio
            key={visibility}
            name={name}
            {...texts[visibility]}
            checked={visibility === chosen}
            // With `disabled`, the option would lose the focus with every change.
            aria-disabled={isPending || undefined}
            onChange={() => isPending || mutate(visibility)}
          />
        ))}
      </Stack>
    </Stack>
  );
}
