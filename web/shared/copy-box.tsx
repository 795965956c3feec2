import { Copy } from "lucide-react";
import { useRef, type ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { Row } from "#web/ui/layout.tsx";
import styles from "./copy-box.module.css";
import { copyText } from "./copy-text.ts";

interface CopyBoxProps {
  readonly text: string;
  /** Names the copied text with its German article, for messages: "Der Link". */
  readonly what: string;
  /** Buttons beside the copy button. */
  readonly children?: ReactNode;
}

/** Shows a text in a frame, with a button that copies it. */
export function CopyBox({ text, what, children }: CopyBoxProps): ReactNode {
  const box = useRef<HTMLElement>(null);
  const copy = (): Promise<void> =>
    copyText(text, box.current, {
      copied: `${what} ist kopiert.`,
      selected: `${what} ist markiert: Kopier ihn bitte von Hand.`,
    });
  return (
    <>
      <code ref={box} className={styles["text"]} data-copied>
        {text}
      </code>
      <Row data-justify="center">
        <Button kind="primary" onClick={() => void copy()}>
          <Copy size={20} />
          Kopieren
        </Button>
        {children}
      </Row>
    </>
  );
}
