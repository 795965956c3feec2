import type { ReactNode } from "react";

import { useMutation } from "#web/platform/use-mutation.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";

import styles from "./list.module.css";

interface ConfirmDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** The answer that does it. */
  readonly confirmLabel: string;
  readonly onConfirm: () => Promise<string | void>;
  readonly onClose: () => void;
  /** What will happen. */
  readonly children: ReactNode;
}

/** Asks once more before something is done that others will notice. */
export function ConfirmDialog({
  title,
  isOpen,
  confirmLabel,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps): ReactNode {
  const { run, pending } = useMutation(onConfirm);
  const answer = async (): Promise<void> => {
    if (await run()) onClose();
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <div className={styles["form"]}>
        <div>{children}</div>
        <div className={styles["ends"]}>
          <Button disabled={pending !== null} onClick={onClose}>
            Abbrechen
          </Button>
          <Button kind="danger" isBusy={pending !== null} onClick={() => void answer()}>
            {confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
