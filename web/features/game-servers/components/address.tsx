import { Copy } from "lucide-react";
import { useRef, type ReactNode } from "react";

import { showFlash } from "#web/platform/flash.tsx";

import styles from "./address.module.css";

/** Where to connect to, and a button that copies it. */
export function Address({ address }: { address: string }): ReactNode {
  const text = useRef<HTMLElement>(null);
  const [host, port] = address.split(/(?=:\d+$)/);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address);
      showFlash({ type: "success", text: "Adresse kopiert." });
    } catch {
      // Only pages of a secure address may write to the clipboard.
      if (text.current) getSelection()?.selectAllChildren(text.current);
      showFlash({ type: "info", text: "Die Adresse ist markiert: kopier sie bitte von Hand." });
    }
  };
  return (
    <p className={styles["address"]}>
      <code ref={text} className={styles["text"]}>
        {host}
        <wbr />
        {port}
      </code>
      <button type="button" className={styles["copy"]} aria-label="Adresse kopieren" onClick={() => void copy()}>
        <Copy size={20} aria-hidden="true" />
      </button>
    </p>
  );
}
