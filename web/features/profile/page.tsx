import { Camera } from "lucide-react";
import { useState, type ReactNode } from "react";

import { useSession } from "#web/platform/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";

import { AccountForm } from "./components/account-form.tsx";
import { DataCard } from "./components/data-card.tsx";
import { DevicesCard } from "./components/devices-card.tsx";
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
      <h1 className={styles["title"]}>Profil</h1>
      <div className={styles["cards"]}>
        <BeerMat shape="square">
          <div className={styles["account"]}>
            <button
              type="button"
              className={styles["picture"]}
              aria-label="Profilbild ändern"
              onClick={() => setChoosing(true)}
            >
              <Avatar id={user.profile_picture} name={user.name} size={144} />
              <span className={styles["camera"]} aria-hidden="true">
                <Camera size={20} />
              </span>
            </button>
            <AccountForm key={user.id} user={user} {...form} />
          </div>
        </BeerMat>
        <div className={styles["second"]}>
          <BeerMat shape="square">
            <div className={styles["card"]}>
              <PasswordForm {...form} />
            </div>
          </BeerMat>
          <BeerMat shape="square">
            <div className={styles["card"]}>
              <PresenceCard user={user} />
            </div>
          </BeerMat>
          <BeerMat shape="square">
            <div className={styles["card"]}>
              <DevicesCard />
            </div>
          </BeerMat>
          <BeerMat shape="square">
            <div className={styles["card"]}>
              <DataCard user={user} />
            </div>
          </BeerMat>
        </div>
      </div>
      <PictureDialog member={user} isOpen={isChoosing} onClose={() => setChoosing(false)} />
    </>
  );
}
