import { Bell, ChevronDown, LogOut, Megaphone, MonitorSmartphone, Tally5, UserRound } from "lucide-react";
import type { ReactNode } from "react";

import { ApiError } from "#web/data/api.ts";
import { useIsInstalled } from "#web/pwa/install.ts";
import { PageLink } from "#web/router/page-link.tsx";
import { logout } from "#web/session/logout.ts";
import { useSession } from "#web/session/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { MenuItem } from "#web/ui/menu-item.tsx";
import { Menu } from "#web/ui/menu.tsx";
import styles from "./account-menu.module.css";
import { AppearanceSwitch } from "./appearance-switch.tsx";
import { clearFlash, showFlash } from "./flash.tsx";
import { openNews } from "./news.ts";

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
      <MenuItem as={PageLink} href="/member">
        <Tally5 size={20} />
        Mein Deckel
      </MenuItem>
      <MenuItem as={PageLink} href="/profile">
        <UserRound size={20} />
        Profil
      </MenuItem>
      <MenuItem as={PageLink} href="/notifications">
        <Bell size={20} />
        Benachrichtigungen
      </MenuItem>
      {!isInstalled && (
        <MenuItem as={PageLink} href="/install">
          <MonitorSmartphone size={20} />
          App installieren
        </MenuItem>
      )}
      <MenuItem onClick={openNews}>
        <Megaphone size={20} />
        Was ist neu
      </MenuItem>
      <AppearanceSwitch place="menu" />
      <MenuItem onClick={() => void handleLogout()}>
        <LogOut size={20} />
        Logout
      </MenuItem>
    </Menu>
  );
}

async function handleLogout(): Promise<void> {
  try {
    // Removes the flash message, which was for the member who has just logged out.
    if (await logout()) clearFlash();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showFlash({ type: "error", text: error.message });
  }
}
