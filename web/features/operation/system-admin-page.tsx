import { useMutation, useQuery } from "@tanstack/react-query";
import {
  CalendarDays,
  ChevronRight,
  CircleCheck,
  CircleX,
  Download,
  MonitorPlay,
  Plug,
  Save,
  ScrollText,
  Truck,
  Webhook,
} from "lucide-react";
import { type ReactNode, useState } from "react";

import { downloadBackup, getBackups, makeBackup } from "#contract/backups.ts";
import { runDoctor } from "#contract/doctor.ts";
import type { InputOf, ReplyOf } from "#contract/endpoint.ts";
import { switchReleaseCheck, type ReleaseCheck } from "#contract/releases.ts";
import { AdminLayout, isCalendarSeason } from "#web/admin/admin-layout.tsx";
import { useAdminCall, useReleaseCheck } from "#web/admin/api.ts";
import { callForFile } from "#web/client/api.ts";
import { replyOptions } from "#web/client/queries.ts";
import { formFor } from "#web/page/form.tsx";
import { ListItemLink } from "#web/page/links.tsx";
import { saveFile } from "#web/page/share-picture.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Switch } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { formatCount, formatMegabytes, timeAgo } from "#web/ui/german.ts";
import { IconDisc } from "#web/ui/icons.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { List, ListItem } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Disclosure, Hint, Notice } from "#web/ui/text.tsx";
import { useNow } from "#web/ui/use-now.ts";
import { checkLabels, intervalTexts } from "./rules.ts";
import styles from "./system-admin-page.module.css";

export function SystemPage(): ReactNode {
  return (
    <AdminLayout area="/admin/system">
      <SystemLinks />
      <BackupCard />
      <DoctorCard />
      <ReleasesCard />
    </AdminLayout>
  );
}

const linkedPages = [
  ["/admin/tv", "Fernseher", "Bildschirme im Raum, die den Stand zeigen", MonitorPlay],
  ["/admin/webhooks", "Webhooks", "Biere und Partys in eurem Chat", Webhook],
  ["/admin/api", "API", "Für eigene Programme", Plug],
  ["/admin/import", "Umziehen", "Biere aus einer anderen App mitbringen", Truck],
  ["/admin/audit", "Protokoll", "Was in der Verwaltung getan wurde", ScrollText],
] as const;
const calendarPage = ["/admin/calendar", "Kalender", "Türchen und Musik für den Advent", CalendarDays] as const;

function SystemLinks(): ReactNode {
  const shown = isCalendarSeason() ? linkedPages : [calendarPage, ...linkedPages];
  return (
    <Card>
      <List label="Technik">
        {shown.map(([to, title, hint, icon]) => (
          <li key={to}>
            <ListItemLink to={to} picture={<IconDisc icon={icon} />} end={<ChevronRight size={22} />}>
              <strong>{title}</strong>
              <Hint as="span">{hint}</Hint>
            </ListItemLink>
          </li>
        ))}
      </List>
    </Card>
  );
}

function BackupCard(): ReactNode {
  const backups = useQuery(replyOptions(getBackups));
  const [isDownloading, setDownloading] = useState(false);
  const call = useAdminCall();
  const make = useMutation({
    mutationFn: async () => (await call(makeBackup, {})).message,
    // The state has the reason of a failure.
    onError: () => void backups.refetch(),
  });
  return (
    <Card>
      <h3>Backup</h3>
      <QueryState
        query={backups}
        failedText="Der Stand der Backups konnte gerade nicht geladen werden."
        skeleton={<Skeleton lines={2} />}
      >
        {(state) => <BackupState state={state} />}
      </QueryState>
      <Row gap={2}>
        <Button kind="primary" isBusy={make.isPending} onClick={() => make.mutate()}>
          <Save size={20} />
          Jetzt sichern
        </Button>
        <Button onClick={() => setDownloading(true)}>
          <Download size={20} />
          Herunterladen …
        </Button>
      </Row>
      <Dialog title="Backup herunterladen" isOpen={isDownloading} onClose={() => setDownloading(false)}>
        <DownloadForm onClose={() => setDownloading(false)} />
      </Dialog>
    </Card>
  );
}

function BackupState({ state }: { state: ReplyOf<typeof getBackups> }): ReactNode {
  const { every, made_at, bytes, verified_at, failure, is_overdue } = state;
  const now = useNow(60_000);
  const ago = (at: string): string => timeAgo(Date.parse(at), now);
  return (
    <Stack gap={2}>
      {is_overdue && <Notice tone="error">Seit einer Woche gibt es kein neues Backup.</Notice>}
      <p>
        {made_at === null ? "Noch keins. " : `Das letzte: ${ago(made_at)}, ${formatMegabytes(bytes ?? 0)}. `}
        {intervalTexts[every]}
      </p>
      {verified_at !== null && <Hint>Zur Probe wiederhergestellt: {ago(verified_at)}.</Hint>}
      {failure !== null && (
        <Notice tone="error">
          Zuletzt gab es ein Problem: <span lang="en">{failure}</span>
        </Notice>
      )}
    </Stack>
  );
}

const download = formFor(downloadBackup);

function DownloadForm({ onClose }: { onClose: () => void }): ReactNode {
  const send = async (body: InputOf<typeof downloadBackup>): Promise<void> => {
    save(await callForFile(downloadBackup, { body }));
    onClose();
  };
  return (
    <download.DialogForm action="Herunterladen" onSend={send} onClose={onClose}>
      <p>Die Datei enthält alles, was die Gruppe gespeichert hat, auch E-Mail-Adressen. Heb sie gut auf.</p>
      <download.Checkbox name="with_secrets" />
      <Hint>
        Mit dem Haken stehen auch die Schlüssel des Servers und die Adressen und Tokens eurer Webhooks darin. Das
        brauchst du nur für einen Umzug.
      </Hint>
    </download.DialogForm>
  );
}

function save(file: Blob): void {
  const url = URL.createObjectURL(file);
  saveFile(url, "stammtisch.backup");
  // Browsers begin to read the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function DoctorCard(): ReactNode {
  const doctor = useQuery(replyOptions(runDoctor));
  return (
    <Card>
      <Row gap={2} data-justify="between">
        <h3>Zustand</h3>
        <Button isBusy={doctor.isFetching} onClick={() => void doctor.refetch()}>
          Nochmal prüfen
        </Button>
      </Row>
      <QueryState query={doctor} failedText="Die Prüfung ist gerade nicht möglich." skeleton={<Skeleton lines={5} />}>
        {({ checks }) => <Checks checks={checks} />}
      </QueryState>
    </Card>
  );
}

type Check = ReplyOf<typeof runDoctor>["checks"][number];

function Checks({ checks }: { checks: readonly Check[] }): ReactNode {
  const failed = checks.filter(({ ok }) => !ok);
  // The longest comes last.
  const fine = checks.filter(({ ok }) => ok).sort((one, other) => one.detail.length - other.detail.length);
  return (
    <Stack gap={3}>
      <p>{failed.length === 0 ? "Alles in Ordnung." : "Darum solltest du dich kümmern:"}</p>
      {failed.length > 0 && <CheckList checks={failed} label="Probleme" />}
      <Disclosure title={formatCount(fine.length, "Prüfung in Ordnung", "Prüfungen in Ordnung")}>
        <CheckList checks={fine} label="In Ordnung" />
      </Disclosure>
    </Stack>
  );
}

function CheckList({ checks, label }: { checks: readonly Check[]; label: string }): ReactNode {
  return (
    <List label={label}>
      {checks.map(({ name, ok, detail }) => (
        <ListItem
          key={name}
          as="li"
          data-align="start"
          picture={ok ? <CircleCheck className={styles["good"]} /> : <CircleX className={styles["bad"]} />}
        >
          <strong>{checkLabels[name] ?? name}</strong>
          <Hint as="span" lang="en" className={styles["detail"]}>
            {detail}
          </Hint>
        </ListItem>
      ))}
    </List>
  );
}

function ReleasesCard(): ReactNode {
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
      {isOn && <ReleaseResult check={check} isLooking={isPending} />}
    </Card>
  );
}

function ReleaseResult({ check, isLooking }: { check: ReleaseCheck; isLooking: boolean }): ReactNode {
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
