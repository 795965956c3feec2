import type { ReactNode } from "react";

import { Logo } from "#web/ui/logo.tsx";

import { MessageMat } from "./components/message-mat.tsx";

export function NotFoundPage(): ReactNode {
  return <MessageMat picture={<Logo size={112} />} title="ERROR 404 | Site not found" />;
}
