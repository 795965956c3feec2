import { Bell, ChevronDown, LogOut, Megaphone, MonitorSmartphone, Tally5, UserRound } from "lucide-react";
import type { ReactNode } from "react";

import { Avatar } from "#web/ui/avatar.tsx";
import item from "#web/ui/menu-item.module.css";
import { Menu } from "#web/ui/menu.tsx";
import { ApiError } from "../api.ts";
import { clearFlash, showFlash } from "../flash.tsx";
import { useIsInstalled } from "../install.ts";
import { openNews } from "../news.ts";
import { PageLink } from "../page-link.tsx";
import { logout, useSession } from "../session.ts";
import styles from "./account-menu.module.css";
import { AppearanceSwitch } from "./appearance-switch.tsx";

export function AccountMenu(): ReactNode {
  const { user } = useSession();
  const isInstalled = useIsInstalled();
  if (user === null) return null;
  const face = (
    <>
      <Avatar id={user.avatarId} name={user.name} size={36} />
      <span className={`one-line ${styles["name"]}`}>{user.name}</span>
      <ChevronDown size={18} className={styles["chevron"]} />
    </>
  );
  return (
    <Menu trigger={face} name={user.name}>
      <PageLink className={item["item"]} role="menuitem" tabIndex={-1} href="/member">
        <Tally5 size={20} />
        Mein Deckel
      </PageLink>
      <PageLink className={item["item"]} role="menuitem" tabIndex={-1} href="/profile">
        <UserRound size={20} />
        Profil
      </PageLink>
      <PageLink className={item["item"]} role="menuitem" tabIndex={-1} href="/notifications">
        <Bell size={20} />
        Benachrichtigungen
      </PageLink>
      {!isInstalled && (
        <PageLink className={item["item"]} role="menuitem" tabIndex={-1} href="/install">
          <MonitorSmartphone size={20} />
          App installieren
        </PageLink>
      )}
      <button className={item["item"]} type="button" role="menuitem" tabIndex={-1} onClick={openNews}>
        <Megaphone size={20} />
        Was ist neu
      </button>
      <AppearanceSwitch place="menu" />
      <button className={item["item"]} type="button" role="menuitem" tabIndex={-1} onClick={() => void handleLogout()}>
        <LogOut size={20} />
        Logout
      </button>
    </Menu>
  );
}

async function handleLogout(): Promise<void> {
  try {
    // The message on the screen was meant for the user who has just logged out.
    if (await logout()) clearFlash();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showFlash({ type: "error", text: error.message });
  }
}
