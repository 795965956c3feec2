import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import type { ReactNode } from "react";

import { runDoctor } from "#contract/doctor.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { replyOptions } from "#web/client/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { formatCount } from "#web/ui/german.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { List, ListItem } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Disclosure, Hint } from "#web/ui/text.tsx";
import styles from "./doctor-card.module.css";
import { checkLabels } from "./rules.ts";

export function DoctorCard(): ReactNode {
  const doctor = useQuery(replyOptions(runDoctor));
  return (
    <Card>
      <Row gap={2} data-justify="between">
        <h3>Zustand</h3>
        <Button isBusy={doctor.isFetching} onClick={() => void doctor.refetch()}>
          Nochmal prüfen
        </Button>
      </Row>
      <QueryState query={doctor} failedText="Die Prüfung ist gerade nicht möglich." skeleton={<Skeleton lines={5} />}>
        {({ checks }) => <Checks checks={checks} />}
      </QueryState>
    </Card>
  );
}

type Check = ReplyOf<typeof runDoctor>["checks"][number];

function Checks({ checks }: { checks: readonly Check[] }): ReactNode {
  const failed = checks.filter(({ ok }) => !ok);
  const fine = checks.filter(({ ok }) => ok);
  return (
    <Stack gap={3}>
      <p>{failed.length === 0 ? "Alles in Ordnung." : "Darum solltest du dich kümmern:"}</p>
      {failed.length > 0 && <CheckList checks={failed} label="Probleme" />}
      <Disclosure title={formatCount(fine.length, "Prüfung in Ordnung", "Prüfungen in Ordnung")}>
        <CheckList checks={fine} label="In Ordnung" />
      </Disclosure>
    </Stack>
  );
}

function CheckList({ checks, label }: { checks: readonly Check[]; label: string }): ReactNode {
  return (
    <List label={label}>
      {checks.map(({ name, ok, detail }) => (
        <ListItem
          key={name}
          as="li"
          data-align="start"
          picture={ok ? <CircleCheck className={styles["good"]} /> : <CircleX className={styles["bad"]} />}
        >
          <strong>{checkLabels[name] ?? name}</strong>
          <Hint as="span" lang="en" className={styles["detail"]}>
            {detail}
          </Hint>
        </ListItem>
      ))}
    </List>
  );
}
