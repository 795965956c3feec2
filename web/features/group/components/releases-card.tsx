import type { ReactNode } from "react";

import { switchReleaseCheck, type ReleaseCheck } from "#contract/releases.ts";
import { useAction } from "#web/forms/use-action.ts";
import { change, useReleaseCheck } from "#web/shared/admin/queries.ts";
import { Card } from "#web/ui/card.tsx";
import { timeAgo } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { useNow } from "#web/ui/use-now.ts";

/**
 * Lets administrators switch the daily release check on and off. Renders nothing if the operator
 * has configured no address for the check.
 */
export function ReleasesCard(): ReactNode {
  const { data: check } = useReleaseCheck();
  const { run, pending } = useAction((is_checking: boolean) => change(switchReleaseCheck, { body: { is_checking } }));
  if (!check || check.host === null) return null;
  const isOn = pending?.[0] ?? check.is_checking;
  return (
    <Card>
      <h3>Neue Versionen</h3>
      <Switch
        label="Einmal am Tag nachschauen"
        hint={`Der Server fragt dann bei ${check.host} nach. Über euch verrät er dabei nichts.`}
        isOn={isOn}
        disabled={pending !== null}
        onChange={(wanted) => void run(wanted)}
      />
      {isOn && <Result check={check} isLooking={pending !== null} />}
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
