import type { ReactNode } from "react";

import { useAction } from "#web/platform/use-action.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";

import styles from "./list.module.css";

interface QuestionProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** The answer that does it. */
  readonly yes: string;
  readonly act: () => Promise<string | void>;
  readonly onClose: () => void;
  /** What will happen. */
  readonly children: ReactNode;
}

/** Asks once more before something is done that others will notice. */
export function Question({ title, isOpen, yes, act, onClose, children }: QuestionProps): ReactNode {
  const { run, running } = useAction(act);
  const answer = async (): Promise<void> => {
    if (await run()) onClose();
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <div className={styles["form"]}>
        <div>{children}</div>
        <div className={styles["ends"]}>
          <Button disabled={running !== null} onClick={onClose}>
            Abbrechen
          </Button>
          <Button kind="danger" isBusy={running !== null} onClick={() => void answer()}>
            {yes}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
