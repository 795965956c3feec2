import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Braces, Download } from "lucide-react";
import type { ReactNode } from "react";

import { getApiDescription, getOpenApi, type ApiOperation } from "#contract/api-description.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { replyOptions } from "#web/client/queries.ts";
import { Card } from "#web/ui/card.tsx";
import { IconDisc } from "#web/ui/icons.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Badge, Badges, EntityItem, ListItem, List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint } from "#web/ui/text.tsx";
import styles from "./api-admin-page.module.css";

export function ApiPage(): ReactNode {
  const description = useQuery(replyOptions(getOpenApi));
  return (
    <AdminLayout area="/admin/api">
      <QueryState
        query={description}
        failedText="Die Beschreibung konnte gerade nicht geladen werden."
        skeleton={<Skeleton lines={8} />}
      >
        {({ paths }) => {
          const all = listOperations(paths);
          return (
            <>
              <Card>
                <Stack gap={1}>
                  <h3>Für eigene Programme</h3>
                  <Hint>
                    Mit einem API-Token, den sich jedes Mitglied in seinem{" "}
                    <Link to="/profile" hash="tokens">
                      Profil
                    </Link>{" "}
                    anlegt.
                  </Hint>
                </Stack>
                <ListItem
                  as="a"
                  href={getApiDescription.path}
                  download
                  picture={<IconDisc icon={Braces} />}
                  end={<Download size={22} />}
                >
                  <strong>OpenAPI-Dokument</strong>
                </ListItem>
                <Operations label="Für eigene Programme" shown={all.filter(({ scopes }) => scopes.length > 0)} />
              </Card>
              <Card>
                <Stack gap={1}>
                  <h3>Nur für die App</h3>
                  <Hint>Diese Adressen ruft die Seite selbst auf; ein API-Token öffnet sie nicht.</Hint>
                </Stack>
                <Operations label="Nur für die App" shown={all.filter(({ scopes }) => scopes.length === 0)} />
              </Card>
            </>
          );
        }}
      </QueryState>
    </AdminLayout>
  );
}

interface ShownOperation {
  readonly method: string;
  readonly path: string;
  /** Empty if API tokens cannot call it. */
  readonly scopes: readonly string[];
}

function listOperations(paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>): ShownOperation[] {
  const byPath = Object.entries(paths).toSorted(([one], [other]) => one.localeCompare(other));
  return byPath.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path,
      scopes: security.flatMap(({ token = [] }) => token),
    })),
  );
}

const scopeLabels: Readonly<Record<string, string>> = { read: "Lesen", tap: "Eintragen" };

function Operations({ label, shown }: { label: string; shown: readonly ShownOperation[] }): ReactNode {
  return (
    <List label={label}>
      {shown.map(({ method, path, scopes }) => (
        <EntityItem key={`${method} ${path}`}>
          <code className={styles["path"]}>
            <b>{method}</b> {path}
          </code>
          {scopes.length > 0 && (
            <Badges>
              {scopes.map((scope) => (
                <Badge key={scope}>{scopeLabels[scope] ?? scope}</Badge>
              ))}
            </Badges>
          )}
        </EntityItem>
      ))}
    </List>
  );
}
