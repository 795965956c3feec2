import { Copy, Gamepad2 } from "lucide-react";
import { useRef, type ReactNode } from "react";

import { copyText } from "#web/shared/copy-text.ts";
import { Row } from "#web/ui/layout.tsx";
import styles from "./address.module.css";

interface AddressProps {
  readonly address: string;
  readonly joinUrl: string | null;
}

/**
 * Shows the address of a game server, with a copy button and a link that opens the game and joins
 * the server.
 */
export function Address({ address, joinUrl }: AddressProps): ReactNode {
  const text = useRef<HTMLElement>(null);
  const [host, port] = address.split(/(?=:\d+$)/);
  const copy = (): Promise<void> =>
    copyText(address, text.current, {
      copied: "Adresse kopiert.",
      selected: "Die Adresse ist markiert: Kopier sie bitte von Hand.",
    });
  return (
    <Row as="p" gap={2} data-wrap="never" className={styles["address"]}>
      <code ref={text} className={styles["text"]}>
        {host}
        <wbr />
        {port}
      </code>
      {joinUrl && (
        <a className={`touch-target ${styles["action"]}`} href={joinUrl} aria-label="Mit Steam beitreten">
          <Gamepad2 size={20} />
        </a>
      )}
      <button
        type="button"
        className={`touch-target ${styles["action"]}`}
        aria-label="Adresse kopieren"
        onClick={() => void copy()}
      >
        <Copy size={20} />
      </button>
    </Row>
  );
}
