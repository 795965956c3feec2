import {
  Bell,
  ChevronDown,
  LogOut,
  Megaphone,
  MonitorSmartphone,
  Moon,
  Sun,
  SunMoon,
  Tally5,
  UserRound,
} from "lucide-react";
import type { ReactNode } from "react";

import { useLogout } from "#web/features/accounts/logout.ts";
import { openNews } from "#web/features/group/news.tsx";
import { useIsInstalled } from "#web/page/install.ts";
import { MenuLink } from "#web/page/links.tsx";
import { useMember, useStore } from "#web/page/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Choice } from "#web/ui/choice.tsx";
import { MenuItem, Menu } from "#web/ui/menu.tsx";
import styles from "./account-menu.module.css";
import { appearance, setAppearance, type Appearance } from "./appearance.ts";

export function AccountMenu(): ReactNode {
  const member = useMember();
  const isInstalled = useIsInstalled();
  const logout = useLogout();
  if (member === null) return null;
  const face = (
    <>
      <Avatar id={member.avatarId} name={member.name} size={36} />
      <span className={`one-line ${styles["name"]}`}>{member.name}</span>
      <ChevronDown size={18} className={styles["chevron"]} />
    </>
  );
  return (
    <Menu trigger={face} name={member.name}>
      <MenuLink to="/member">
        <Tally5 size={20} />
        Mein Deckel
      </MenuLink>
      <MenuLink to="/profile">
        <UserRound size={20} />
        Profil
      </MenuLink>
      <MenuLink to="/notifications">
        <Bell size={20} />
        Benachrichtigungen
      </MenuLink>
      {!isInstalled && (
        <MenuLink to="/install">
          <MonitorSmartphone size={20} />
          App installieren
        </MenuLink>
      )}
      <MenuItem onClick={openNews}>
        <Megaphone size={20} />
        Was ist neu
      </MenuItem>
      <AppearanceSwitch place="menu" />
      <MenuItem onClick={logout}>
        <LogOut size={20} />
        Logout
      </MenuItem>
    </Menu>
  );
}

const options: readonly { value: Appearance; label: string; icon: ReactNode }[] = [
  { value: "light", label: "Hell", icon: <Sun size={18} /> },
  { value: "dark", label: "Dunkel", icon: <Moon size={18} /> },
  { value: "auto", label: "Automatisch", icon: <SunMoon size={18} /> },
];

export function AppearanceSwitch({ place }: { place: "menu" | "page" }): ReactNode {
  const value = useStore(appearance);
  return <Choice label="Darstellung" options={options} value={value} onChange={setAppearance} place={place} />;
}
