import type { ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { describeHung } from "../rules.ts";
import styles from "./upload-report.module.css";
import type { Uploads } from "./use-uploads.ts";

/** How far the pictures are, and what became of those that could not be hung. */
export function UploadReport({ uploads }: { uploads: Uploads }): ReactNode {
  const { isRunning, done, total, failures } = uploads;
  if (total === 0 && failures.length === 0) return null;
  return (
    <Stack gap={2} className={styles["report"]} role="status">
      {isRunning && (
        <progress className={styles["bar"]} value={done + failures.length} max={total} aria-label="Hochladen" />
      )}
      <p>
        <strong>
          {describeHung(done, total)}
          {isRunning ? " …" : "."}
        </strong>
      </p>
      {failures.length > 0 && (
        <Stack as="ul" gap={1} className={styles["failures"]}>
          {failures.map(({ name, text }, index) => (
            <li key={index}>
              <strong>{name}</strong>: {text}
            </li>
          ))}
        </Stack>
      )}
      {!isRunning && <Button onClick={uploads.dismiss}>Verstanden</Button>}
    </Stack>
  );
}
