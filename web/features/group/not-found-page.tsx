import type { ReactNode } from "react";

import { Logo } from "#web/ui/logo.tsx";

import { Sign } from "./components/sign.tsx";

export function NotFoundPage(): ReactNode {
  return <Sign picture={<Logo size={112} />} title="ERROR 404 | Site not found" />;
}
