import type { ReactNode } from "react";

import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { ReleasesCard } from "./releases-card.tsx";
import { SystemLinks } from "./system-links.tsx";

export function SystemPage(): ReactNode {
  return (
    <AdminLayout area="/admin/system">
      <SystemLinks />
      <ReleasesCard />
    </AdminLayout>
  );
}
