import { Copy, Share2 } from "lucide-react";
import { useEffect, useRef, useState, type ComponentType, type ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { copyText } from "./copy-text.ts";
import styles from "./share-link.module.css";

interface ShareLinkProps {
  readonly url: string;
  /** What is handed over, as the share sheet and the camera are told: "Einladung". */
  readonly title: string;
  /** For whom, how long and how often it is good. */
  readonly children: ReactNode;
  /** What "Fertig" does; without it there is no such button. */
  readonly onClose?: () => void;
}

/** A link to copy, to share, or to be photographed from this screen. */
export function ShareLink({ url, title, children, onClose }: ShareLinkProps): ReactNode {
  const text = useRef<HTMLElement>(null);
  const Code = useQrCode();
  const copy = (): Promise<void> =>
    copyText(url, text.current, {
      copied: "Link kopiert.",
      selected: "Der Link ist markiert: Kopier ihn bitte von Hand.",
    });
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
        <code ref={text} className={styles["url"]} data-link>
          {url}
        </code>
        <Row data-justify="center">
          <Button kind="primary" onClick={() => void copy()}>
            <Copy size={20} />
            Kopieren
          </Button>
          {"share" in navigator && (
            <Button onClick={() => void share({ title, url })}>
              <Share2 size={20} />
              Teilen
            </Button>
          )}
        </Row>
        <Hint as="div" data-align="center">
          {children}
        </Hint>
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

/** Loads the drawing of QR codes: `null` until it has loaded, `undefined` if that fails, since the link is shown without it, too. */
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
    // The share sheet was closed; the link can still be copied.
  }
}
