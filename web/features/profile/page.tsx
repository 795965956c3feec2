import { Camera } from "lucide-react";
import { useState, type ReactNode } from "react";

import { useSession } from "#web/session/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Card, CardPage } from "#web/ui/card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { AccountForm } from "./components/account-form.tsx";
import { PasswordForm } from "./components/password-form.tsx";
import { PictureDialog } from "./components/picture-dialog.tsx";
import { SecurityCard } from "./components/security-card.tsx";
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
        <Stack gap={5}>
          <Card>
            <PasswordForm {...form} />
          </Card>
          <SecurityCard user={user} />
        </Stack>
      </CardPage>
      <PictureDialog member={user} isOpen={isChoosing} onClose={() => setChoosing(false)} />
    </>
  );
}
