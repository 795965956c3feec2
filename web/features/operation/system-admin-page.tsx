import type { ReactNode } from "react";

import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { BackupCard } from "./backup-card.tsx";
import { DoctorCard } from "./doctor-card.tsx";
import { ReleasesCard } from "./releases-card.tsx";
import { SystemLinks } from "./system-links.tsx";

export function SystemPage(): ReactNode {
  return (
    <AdminLayout area="/admin/system">
      <SystemLinks />
      <BackupCard />
      <DoctorCard />
      <ReleasesCard />
    </AdminLayout>
  );
}
