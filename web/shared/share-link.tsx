import { Share2 } from "lucide-react";
import { useEffect, useState, type ComponentType, type ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { CopyBox } from "./copy-box.tsx";
import { describeLocalAddress } from "./local-address.ts";
import styles from "./share-link.module.css";

interface ShareLinkProps {
  readonly url: string;
  /** Names the link in the share sheet and for screen readers: "Einladung". */
  readonly title: string;
  /** The link's recipient, expiry and remaining uses. */
  readonly children: ReactNode;
  /** Called by the button "Fertig"; without `onClose` the button is omitted. */
  readonly onClose?: () => void;
}

/** Shows a link to copy, share, or scan as a QR code. */
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

/**
 * Loads the QR code component. Returns `null` while it is loading, and `undefined` if loading
 * failed: the link is then shown without a QR code.
 */
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
    // The member has closed the share sheet; the link can still be copied.
  }
}
