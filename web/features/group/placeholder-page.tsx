import type { ReactNode } from "react";

import { Sign } from "./components/sign.tsx";

export function PlaceholderPage(): ReactNode {
  return <Sign title="Hier gibts dann total coole Sachen...oder so." />;
}
