import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { KeyRound, Lock, LockOpen, Pencil } from "lucide-react";
import { useState, type ReactNode } from "react";

import { correctName, getMemberBeers, removePicture, takeBackBeers } from "#contract/corrections.ts";
import type { Permission } from "#contract/endpoint.ts";
import {
  getManagedMembers,
  makeResetLink,
  setDisabled,
  setPermissions,
  type ManagedMember,
} from "#contract/member-management.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { adminKey, useAdminCall, type OneTimeLink } from "#web/admin/api.ts";
import { EntityDialog } from "#web/admin/dialogs.tsx";
import { PermissionBadges, PermissionSwitches, togglePermission } from "#web/admin/permissions.tsx";
import { ApiError, call } from "#web/client/api.ts";
import { replyOptions } from "#web/client/queries.ts";
import { describeEndingLinks } from "#web/features/accounts/rules.ts";
import { ConfirmStep } from "#web/page/confirm.tsx";
import { formFor } from "#web/page/form.tsx";
import { ButtonLink } from "#web/page/links.tsx";
import { useReload } from "#web/page/queries.ts";
import { useGroup, useMember } from "#web/page/session.ts";
import { ShareLink } from "#web/page/share-link.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { Checkbox, Field } from "#web/ui/field.tsx";
import { formatBeers, formatDate, formatTimeOfDay, timeAgo } from "#web/ui/german.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { Badge, Badges, EntityList, ExpandableItem, List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint } from "#web/ui/text.tsx";
import styles from "./admin-page.module.css";
import { filterMembers } from "./rules.ts";

export function MembersPage(): ReactNode {
  const members = useQuery(replyOptions(getManagedMembers));
  const [search, setSearch] = useState("");
  const [openId, setOpenId] = useState<number | null>(null);
  const found = members.data && filterMembers(members.data, search);
  const searchField = (
    <Field
      label="Suchen"
      name="search"
      type="search"
      placeholder="Name, Benutzername oder E-Mail"
      autoComplete="off"
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
    />
  );
  return (
    <AdminLayout area="/admin" action={<ButtonLink to="/admin/invitations">Einladungen</ButtonLink>}>
      <EntityList
        query={{ ...members, data: found }}
        what="Die Mitglieder"
        emptyText="So heißt hier niemand."
        lines={6}
        above={searchField}
        below={
          members.data?.length === 1 && (
            <p>
              Noch allein am Tisch? <Link to="/admin/invitations">Lade Freunde ein.</Link>
            </p>
          )
        }
      >
        {(shown) => (
          <List label="Mitglieder">
            {shown.map((member) => (
              <MemberLine key={member.id} member={member} onOpen={() => setOpenId(member.id)} />
            ))}
          </List>
        )}
      </EntityList>
      <EntityDialog
        entity={members.data?.find(({ id }) => id === openId) ?? null}
        title={({ name }) => name}
        onClose={() => setOpenId(null)}
      >
        {(member) => <MemberDetails member={member} onClose={() => setOpenId(null)} />}
      </EntityDialog>
    </AdminLayout>
  );
}

function MemberLine({ member, onOpen }: { member: ManagedMember; onOpen: () => void }): ReactNode {
  const { name, uname, avatarId, beers, permissions, disabled } = member;
  return (
    <ExpandableItem picture={<Avatar id={avatarId} name={name} size={48} />} onOpen={onOpen}>
      <strong>{name}</strong>
      <Hint as="span">
        {uname} · {formatBeers(beers)}
      </Hint>
      {(permissions.length > 0 || disabled) && (
        <Badges>
          {disabled && (
            <Badge kind="bad">
              <Lock size={14} />
              gesperrt
            </Badge>
          )}
          <PermissionBadges held={permissions} />
        </Badges>
      )}
    </ExpandableItem>
  );
}

interface StepProps {
  readonly member: ManagedMember;
  readonly onClose: () => void;
}

function MemberDetails({ member, onClose }: StepProps): ReactNode {
  const [link, setLink] = useState<OneTimeLink | null>(null);
  const [step, setStep] = useState<"lock" | "demote" | "correct" | null>(null);
  const isMe = useMember()?.id === member.id;
  const params = { id: member.id };
  const change = useAdminCall();
  const reloadAdmin = useReload(adminKey);
  const permit = useMutation({
    mutationFn: async (permissions: Permission[]) =>
      (await change(setPermissions, { params, body: { permissions } })).message,
  });
  const unlock = useMutation({
    mutationFn: async () => (await change(setDisabled, { params, body: { disabled: false } })).message,
  });
  const createLink = useMutation({ mutationFn: () => call(makeResetLink, { params }), onSuccess: setLink });
  const isBusy = permit.isPending || unlock.isPending || createLink.isPending;

  if (link) return <ResetLink name={member.name} link={link} onClose={onClose} />;
  if (step === "correct") return <CorrectionStep member={member} onClose={() => setStep(null)} />;
  if (step !== null) return <MemberConfirmStep step={step} member={member} isMe={isMe} onClose={() => setStep(null)} />;
  const startStep = (next: "lock" | "demote"): void => {
    setStep(next);
    // The number of valid access links may be stale.
    void reloadAdmin();
  };
  return (
    <Stack gap={5}>
      <Facts member={member} />
      <PermissionSwitches
        legend="Rechte"
        held={permit.isPending ? permit.variables : member.permissions}
        disabled={isBusy || member.disabled}
        onChange={(held) => {
          if (member.permissions.includes("admin") && !held.includes("admin")) startStep("demote");
          else permit.mutate(held);
        }}
      />
      <Stack gap={3}>
        {!member.disabled && (
          <Button isWide isBusy={createLink.isPending} disabled={isBusy} onClick={() => createLink.mutate()}>
            <KeyRound size={20} />
            Link für neues Passwort
          </Button>
        )}
        <Button isWide disabled={isBusy} onClick={() => setStep("correct")}>
          <Pencil size={20} />
          Berichtigen …
        </Button>
        {member.disabled && (
          <Button isWide isBusy={unlock.isPending} onClick={() => unlock.mutate()}>
            <LockOpen size={20} />
            Sperre aufheben
          </Button>
        )}
        {!member.disabled && !isMe && (
          <Button kind="danger" isWide disabled={isBusy} onClick={() => startStep("lock")}>
            <Lock size={20} />
            Sperren …
          </Button>
        )}
      </Stack>
      <DialogActions>
        <Button onClick={onClose}>Fertig</Button>
      </DialogActions>
    </Stack>
  );
}

interface MemberConfirmStepProps extends StepProps {
  readonly step: "lock" | "demote";
  readonly isMe: boolean;
}

function MemberConfirmStep({ step, member, isMe, onClose }: MemberConfirmStepProps): ReactNode {
  const { id, name, permissions } = member;
  const ending = describeEndingLinks(member.access_links, isMe ? "dir" : name);
  const change = useAdminCall();
  const params = { id };
  async function confirm(): Promise<string> {
    const { message } =
      step === "lock"
        ? await change(setDisabled, { params, body: { disabled: true } })
        : await change(setPermissions, {
            params,
            body: { permissions: togglePermission(permissions, "admin", false) },
          });
    return message;
  }
  return (
    <ConfirmStep action={step === "lock" ? "Sperren" : "Entziehen"} onConfirm={confirm} onClose={onClose}>
      {step === "lock" ? (
        <p>
          {name} fliegt überall sofort raus und kommt nicht mehr rein, bis du die Sperre aufhebst. Die Biere bleiben im
          Zähler der Gruppe.
        </p>
      ) : (
        <p>{isMe ? "Du kommst" : `${name} kommt`} nicht mehr in die Verwaltung, bis jemand das Recht wieder vergibt.</p>
      )}
      {ending !== null && <p>{ending}</p>}
    </ConfirmStep>
  );
}

function Facts({ member }: { member: ManagedMember }): ReactNode {
  const { uname, email, beers, created_at, last_seen_at, invitation } = member;
  const facts = [
    ["Benutzername", uname],
    ["E-Mail", email],
    ["Getrunken", formatBeers(beers)],
    ["Dabei seit", formatDate(created_at, "date")],
    ["Zuletzt da", last_seen_at === null ? "noch nie" : timeAgo(Date.parse(last_seen_at), Date.now())],
  ];
  if (invitation) facts.push(["Eingeladen von", invitation.by ?? "der Befehlszeile"]);
  return (
    <Row gap={4} className={styles["facts"]} data-wrap="never">
      <Avatar id={member.avatarId} name={member.name} size={72} />
      <Stack as="dl" gap={1} className={styles["list"]}>
        {facts.map(([term, fact]) => (
          <div key={term} className={styles["fact"]}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </Stack>
    </Row>
  );
}

function ResetLink({ name, link, onClose }: { name: string; link: OneTimeLink; onClose: () => void }): ReactNode {
  const { password_login } = useGroup();
  return (
    <ShareLink url={link.url} title="Link für ein neues Passwort" onClose={onClose}>
      <p>
        Damit legt {name} ein neues Passwort fest. Gilt einmal, bis{" "}
        {formatTimeOfDay(link.expires_at, undefined, "weekdayAndDay")}. Gib ihn niemand anderem: Er wird nur jetzt
        gezeigt.
      </p>
      {password_login === "off" && (
        <p>Das Passwort gilt erst, wenn die Anmeldung mit Passwort auf dem Server wieder eingeschaltet ist.</p>
      )}
    </ShareLink>
  );
}

const correction = formFor(correctName);

function CorrectionStep({ member, onClose }: StepProps): ReactNode {
  const [step, setStep] = useState<"picture" | "beers" | null>(null);
  const { name, avatarId } = member;
  const params = { id: member.id };
  const change = useAdminCall();
  if (step === "picture") {
    return (
      <ConfirmStep
        action="Entfernen"
        onConfirm={async () => (await change(removePicture, { params })).message}
        onClose={onClose}
      >
        <p>
          Das Profilbild von {name} wird gelöscht, und überall steht das Standardbild. {name} kann ein anderes wählen.
        </p>
      </ConfirmStep>
    );
  }
  if (step === "beers") return <BeersStep member={member} onClose={onClose} />;
  return (
    <correction.DialogForm
      action="Speichern"
      onSend={async (body) => {
        const { message } = await change(correctName, { params, body });
        onClose();
        return message;
      }}
      onClose={onClose}
    >
      <correction.Field name="name" defaultValue={name} hint="So sehen ihn alle." autoComplete="off" required />
      <Stack gap={3}>
        {avatarId !== null && (
          <Button isWide onClick={() => setStep("picture")}>
            Profilbild entfernen …
          </Button>
        )}
        <Button isWide onClick={() => setStep("beers")}>
          Biere zurücknehmen …
        </Button>
      </Stack>
    </correction.DialogForm>
  );
}

function BeersStep({ member: { id, name }, onClose }: StepProps): ReactNode {
  const params = { id };
  const beers = useQuery(replyOptions(getMemberBeers, { params }));
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const change = useAdminCall();
  async function send(): Promise<string> {
    if (chosen.length === 0) throw new ApiError(422, "Wähle die Biere aus, die niemand getrunken hat.");
    return (await change(takeBackBeers, { params, body: { ids: [...chosen] } })).message;
  }
  return (
    <ConfirmStep action="Entfernen" onConfirm={send} onClose={onClose}>
      <p>
        Welche Biere hat {name} nicht getrunken? Sie verschwinden aus allen Zählern, und im Protokoll steht, wie viele.
      </p>
      <QueryState
        query={beers}
        failedText="Die Biere konnten nicht geladen werden."
        skeleton={<Skeleton size="large" />}
        emptyText="In den letzten sieben Tagen war da keines."
      >
        {(all) => (
          <div className={styles["beers"]}>
            <Checkbox
              label="Alle"
              name="all"
              checked={chosen.length === all.length}
              onChange={({ currentTarget: { checked } }) => setChosen(checked ? all.map((beer) => beer.id) : [])}
            />
            {all.map((beer) => (
              <Checkbox
                key={beer.id}
                label={formatTimeOfDay(beer.at, undefined, "day")}
                name={`beer-${beer.id}`}
                checked={chosen.includes(beer.id)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen(checked ? [...chosen, beer.id] : chosen.filter((other) => other !== beer.id))
                }
              />
            ))}
          </div>
        )}
      </QueryState>
    </ConfirmStep>
  );
}
