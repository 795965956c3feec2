import { Camera } from "lucide-react";
import { useState, type ReactNode } from "react";

import { useSession } from "#web/platform/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Card, CardPage } from "#web/ui/card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { AccountForm } from "./components/account-form.tsx";
import { DataCard } from "./components/data-card.tsx";
import { DevicesCard } from "./components/devices-card.tsx";
import { EventsCard } from "./components/events-card.tsx";
import { PasskeysCard } from "./components/passkeys-card.tsx";
import { PasswordForm } from "./components/password-form.tsx";
import { PictureDialog } from "./components/picture-dialog.tsx";
import { PresenceCard } from "./components/presence-card.tsx";
import styles from "./page.module.css";

export function ProfilePage(): ReactNode {
  const { user } = useSession();
  const [isChoosing, setChoosing] = useState(false);
  const [isSaving, setSaving] = useState(false);
  if (user === null) return null;
  const form = { isSaving, onSaving: setSaving };
  return (
    <>
      <CardPage title="Profil">
        <Stack gap={5}>
          <Card gap={5}>
            <button
              type="button"
              className={styles["picture"]}
              aria-label="Profilbild ändern"
              onClick={() => setChoosing(true)}
            >
              <Avatar id={user.profile_picture} name={user.name} size={144} />
              <span className={`touch-target ${styles["camera"]}`} aria-hidden="true">
                <Camera size={20} />
              </span>
            </button>
            <AccountForm key={user.id} user={user} {...form} />
          </Card>
          <Card>
            <PresenceCard user={user} />
          </Card>
        </Stack>
        <Stack gap={5}>
          <Card>
            <PasswordForm {...form} />
          </Card>
          <Card>
            <PasskeysCard />
          </Card>
          <Card>
            <DevicesCard />
          </Card>
          <Card>
            <EventsCard />
          </Card>
          <Card>
            <DataCard user={user} />
          </Card>
        </Stack>
      </CardPage>
      <PictureDialog member={user} isOpen={isChoosing} onClose={() => setChoosing(false)} />
    </>
  );
}
