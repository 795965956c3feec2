import { Undo2 } from "lucide-react";
import type { ReactNode } from "react";

import { Portrait } from "#web/ui/avatar.tsx";
import { useTvPicture } from "./api.ts";
import styles from "./receipts.module.css";
import type { Receipt } from "./tablet-rules.ts";

interface ReceiptsProps {
  readonly receipts: readonly (Receipt | null)[];
  readonly notice: string;
  readonly onUndo: (receipt: Receipt) => void;
}

/** Keeps its height, so that nothing moves under a finger. */
export function Receipts({ receipts, notice, onUndo }: ReceiptsProps): ReactNode {
  const isEmpty = receipts.every((receipt) => receipt === null);
  return (
    <footer className={styles["receipts"]}>
      <p className={styles["notice"]} role="status">
        {notice === "" ? isEmpty && "Tipp auf dein Gesicht, wenn du dir eins nimmst." : notice}
      </p>
      <ul className={styles["places"]}>
        {receipts.map((receipt, place) => (
          <li key={receipt?.key ?? place}>
            {receipt && <ReceiptCard receipt={receipt} onUndo={() => onUndo(receipt)} />}
          </li>
        ))}
      </ul>
    </footer>
  );
}

function ReceiptCard({ receipt, onUndo }: { receipt: Receipt; onUndo: () => void }): ReactNode {
  const { face, kind, isUndone } = receipt;
  return (
    <div className={styles["receipt"]} data-undone={isUndone || undefined}>
      <Portrait src={useTvPicture(face.avatarId)} name={face.name} size={64} />
      <p className={styles["text"]} role="status">
        <strong>{isUndone ? "Zurückgenommen" : `Prost, ${face.name}!`}</strong>
        {!isUndone && kind !== null && <span>{kind}</span>}
      </p>
      {!isUndone && (
        <button type="button" className={styles["undo"]} aria-label={`Rückgängig: ${face.name}`} onClick={onUndo}>
          <Undo2 size={20} />
          Rückgängig
        </button>
      )}
    </div>
  );
}
