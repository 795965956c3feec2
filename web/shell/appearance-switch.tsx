import { Moon, Sun, SunMoon } from "lucide-react";
import type { ReactNode } from "react";

import { Choice } from "#web/ui/choice.tsx";
import { setAppearance, useAppearance, type Appearance } from "./appearance.ts";

const options: readonly { value: Appearance; label: string; icon: ReactNode }[] = [
  { value: "light", label: "Hell", icon: <Sun size={18} /> },
  { value: "dark", label: "Dunkel", icon: <Moon size={18} /> },
  { value: "auto", label: "Automatisch", icon: <SunMoon size={18} /> },
];

/** Lets the user choose between the light scheme, the dark scheme and the system's setting. */
export function AppearanceSwitch({ place }: { place: "menu" | "page" }): ReactNode {
  const value = useAppearance();
  return <Choice label="Darstellung" options={options} value={value} onChange={setAppearance} place={place} />;
}
