import { useEffect, useId, useRef, type ReactNode } from "react";

import { useCloseOnBack } from "./close-on-back.ts";
import styles from "./dialog.module.css";
import { focusHeading } from "./heading-focus.ts";
import { Stack } from "./layout.tsx";

export interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Escape, the back button, a click beside it, or a button inside: the owner decides to close. */
  onClose: () => void;
  children: ReactNode;
  /** Buttons at the bottom, the main one last. */
  footer?: ReactNode;
}

/** A modal window over the page: the rest is out of reach while it is open, the focus comes back afterwards. */
export function Dialog({ title, isOpen, onClose, children, footer }: DialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const opener = useRef<Element>(null);
  const isByKey = useRef(false);
  const isPressedBeside = useRef(false);
  useCloseOnBack(isOpen, onClose);
  useEffect(() => {
    const dialog = ref.current!;
    if (isOpen === dialog.open) return;
    if (isOpen) {
      opener.current = document.activeElement;
      isByKey.current = document.querySelector(":focus-visible") !== null;
      dialog.showModal();
    } else {
      dialog.close();
      if (opener.current?.isConnected === false) focusHeading(dialog);
    }
    // After a tap, too, Safari draws a ring around what gets the focus. What one types into keeps it.
    if (isByKey.current || document.activeElement?.matches(":read-write")) return;
    const focused = isOpen ? heading.current : document.activeElement;
    if (!(focused instanceof HTMLElement)) return;
    focused.blur();
    // Firefox has scrolled to the first control, past the title.
    focused.focus({ preventScroll: !isOpen, focusVisible: false });
  }, [isOpen]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- by key it is Escape
    <dialog
      ref={ref}
      // Only the scrim belongs to the dialog element itself; everything inside has the panel around it. Who marks a text may end there.
      onClick={(event) => event.target === event.currentTarget && isPressedBeside.current && onClose()}
      onPointerDown={(event) => {
        isByKey.current = false;
        isPressedBeside.current = event.target === event.currentTarget;
      }}
      onKeyDown={() => (isByKey.current = true)}
      className={styles["dialog"]}
      aria-labelledby={id}
      onCancel={(event) => {
        // Also the device's files say so when they are closed without one.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // The event comes late: by then the dialog may have been opened again, for something else.
      onClose={() => isOpen && ref.current?.open === false && onClose()}
    >
      <Stack className={styles["panel"]}>
        <h2 ref={heading} id={id} tabIndex={-1}>
          {title}
        </h2>
        <div>{isOpen && children}</div>
        {footer !== undefined && <DialogActions>{footer}</DialogActions>}
      </Stack>
    </dialog>
  );
}

/** The buttons at the bottom of a dialog, in view however long it is. Nothing stands below them. */
export function DialogActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles["actions"]}>{children}</div>;
}
