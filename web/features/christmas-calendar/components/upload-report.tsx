import type { ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { describeUploaded } from "../admin-rules.ts";
import styles from "./upload-report.module.css";
import type { Uploads } from "./use-uploads.ts";

/** Shows the progress of uploads, and the pictures that failed or were skipped. */
export function UploadReport({ uploads }: { uploads: Uploads }): ReactNode {
  const { isRunning, done, total, failures, skipped } = uploads;
  if (total + failures.length + skipped.length === 0) return null;
  return (
    <Stack gap={2} className={styles["report"]} role="status">
      {isRunning && (
        <progress className={styles["bar"]} value={done + failures.length} max={total} aria-label="Hochladen" />
      )}
      <p>
        <strong>
          {total === 0 ? "Kein Bild aufgehängt" : describeUploaded(done, total)}
          {isRunning ? " …" : "."}
        </strong>
      </p>
      <Remarks of={failures} tone="failed" />
      {skipped.length > 0 && <p className={styles["skipped"]}>Ausgelassen:</p>}
      <Remarks of={skipped} tone="skipped" />
      {!isRunning && <Button onClick={uploads.dismiss}>Verstanden</Button>}
    </Stack>
  );
}

function Remarks({ of, tone }: { of: Uploads["failures"]; tone: "failed" | "skipped" }): ReactNode {
  if (of.length === 0) return null;
  return (
    <Stack as="ul" gap={1} className={styles[tone]}>
      {of.map(({ name, text }, index) => (
        <li key={index}>
          <strong>{name}</strong>: {text}
        </li>
      ))}
    </Stack>
  );
}
