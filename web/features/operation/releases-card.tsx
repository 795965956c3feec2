import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { switchReleaseCheck, type ReleaseCheck } from "#contract/releases.ts";
import { useAdminCall, useReleaseCheck } from "#web/admin/api.ts";
import { Card } from "#web/ui/card.tsx";
import { Switch } from "#web/ui/choice.tsx";
import { timeAgo } from "#web/ui/german.ts";
import { Hint, Notice } from "#web/ui/text.tsx";
import { useNow } from "#web/ui/use-now.ts";

export function ReleasesCard(): ReactNode {
  const { data: check } = useReleaseCheck();
  const call = useAdminCall();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (is_checking: boolean) => (await call(switchReleaseCheck, { body: { is_checking } })).message,
  });
  if (!check || check.host === null) return null;
  const isOn = isPending ? variables : check.is_checking;
  return (
    <Card>
      <h3>Neue Versionen</h3>
      <Switch
        label="Einmal am Tag nachschauen"
        hint={`Der Server fragt dann bei ${check.host} nach. Über euch verrät er dabei nichts.`}
        isOn={isOn}
        disabled={isPending}
        onChange={mutate}
      />
      {isOn && <Result check={check} isLooking={isPending} />}
    </Card>
  );
}

function Result({ check, isLooking }: { check: ReleaseCheck; isLooking: boolean }): ReactNode {
  const now = useNow(60_000);
  const { version, newer_version: newer, checked_at: checkedAt, has_failed: hasFailed } = check;
  if (isLooking || checkedAt === null) return <Hint>Schaut gerade nach …</Hint>;
  return (
    <>
      {newer !== null && (
        <Notice>
          Version {newer} ist da, hier läuft {version}. Wer den Server betreibt, kann sie einspielen.
        </Notice>
      )}
      <Hint>{describe()}</Hint>
    </>
  );

  function describe(): string {
    const last = `Zuletzt nachgeschaut: ${timeAgo(Date.parse(checkedAt!), now)}.`;
    if (hasFailed) return `${last} Das hat nicht geklappt. Nach einem Tag versucht es der Server wieder.`;
    return newer === null ? `${last} Hier läuft die neueste Version, ${version}.` : last;
  }
}
