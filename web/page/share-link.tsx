import { Copy, Share2 } from "lucide-react";
import { useEffect, useRef, useState, type ComponentType, type ReactNode } from "react";

import { isLoopback } from "#contract/loopback.ts";
import { Button } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { Hint, Notice } from "#web/ui/text.tsx";
import { showMessage } from "./messages.tsx";
import styles from "./share-link.module.css";

interface ShareLinkProps {
  readonly url: string;
  /** E.g. "Einladung". */
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose?: () => void;
}

export function ShareLink({ url, title, children, onClose }: ShareLinkProps): ReactNode {
  const Code = useQrCode();
  const warning = describeLocalAddress(url);
  return (
    <Stack>
      <Stack data-align="center" className={styles["link"]}>
        {Code !== undefined && (
          <div className={styles["picture"]} aria-busy={Code === null}>
            {Code === null ? (
              <span className={styles["waiting"]} />
            ) : (
              <Code text={url} label={`${title} als QR-Code`} />
            )}
          </div>
        )}
        <CopyBox text={url} what="Der Link">
          {"share" in navigator && (
            <Button onClick={() => void share({ title, url })}>
              <Share2 size={20} />
              Teilen
            </Button>
          )}
        </CopyBox>
        <Stack>
          {warning !== null && <Notice>{warning}</Notice>}
          <Hint as="div" data-align="center">
            {children}
          </Hint>
        </Stack>
      </Stack>
      {onClose && (
        <DialogActions>
          <Button onClick={onClose}>Fertig</Button>
        </DialogActions>
      )}
    </Stack>
  );
}

type Code = ComponentType<{ text: string; label: string }>;

/** Returns `undefined` after a failure: the link then has no QR code. */
function useQrCode(): Code | null | undefined {
  const [code, setCode] = useState<{ Code: Code | null | undefined }>({ Code: null });
  useEffect(() => {
    let isShown = true;
    import("#web/ui/qr-code.tsx").then(
      ({ QrCode }) => isShown && setCode({ Code: QrCode }),
      () => isShown && setCode({ Code: undefined }),
    );
    return () => {
      isShown = false;
    };
  }, []);
  return code.Code;
}

async function share(data: ShareData): Promise<void> {
  try {
    await navigator.share(data);
  } catch {
    // The share sheet was closed.
  }
}

interface CopyBoxProps {
  readonly text: string;
  /** Copied thing with its German article: "Der Link". */
  readonly what: string;
  readonly children?: ReactNode;
}

export function CopyBox({ text, what, children }: CopyBoxProps): ReactNode {
  const box = useRef<HTMLElement>(null);
  const copy = (): Promise<void> =>
    copyText(text, box.current, {
      copied: `${what} ist kopiert.`,
      selected: `${what} ist markiert: Kopier ihn bitte von Hand.`,
    });
  return (
    <>
      <code ref={box} className={styles["copied"]} data-copied>
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

/** Selects the text of `element` if the browser forbids copying. */
export async function copyText(
  text: string,
  element: Element | null,
  messages: { readonly copied: string; readonly selected: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showMessage({ type: "success", text: messages.copied });
  } catch {
    // Only https pages may write to the clipboard.
    if (element) getSelection()?.selectAllChildren(element);
    showMessage({ type: "info", text: messages.selected });
  }
}

/** Returns a warning if only this device can open `url`. */
export function describeLocalAddress(url: string): string | null {
  const { hostname } = new URL(url);
  if (!isLoopback(hostname)) return null;
  return `„${hostname}“ erreicht nur dieses Gerät: Trag auf dem Server bei APP_URL eine Adresse ein, die alle erreichen, und öffne die App dort.`;
}
