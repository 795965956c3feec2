import { useEffect, useId, useRef, type ReactNode } from "react";

import styles from "./dialog.module.css";
import { focusHeading } from "./heading-focus.ts";
import { Stack } from "./layout.tsx";

export interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Called on Escape, Android's Back, a click outside or a closing button; the parent then sets `isOpen`. */
  onClose: () => void;
  children: ReactNode;
  /** Buttons; the main one comes last. */
  footer?: ReactNode;
}

/** Returns the focus to the element that opened it. */
export function Dialog({ title, isOpen, onClose, children, footer }: DialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const opener = useRef<Element>(null);
  const isByKey = useRef(false);
  const isPressedBeside = useRef(false);
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
    // Safari draws a focus ring even after a tap: the element is focused again without it, except in text fields.
    if (isByKey.current || document.activeElement?.matches(":read-write")) return;
    const focused = isOpen ? heading.current : document.activeElement;
    if (!(focused instanceof HTMLElement)) return;
    focused.blur();
    // Firefox would scroll to the first control instead of the title.
    focused.focus({ preventScroll: !isOpen, focusVisible: false });
  }, [isOpen]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- by key it is Escape
    <dialog
      ref={ref}
      // Only the backdrop's clicks target the dialog itself. The press must begin there, too: a selection of text may
      // end there.
      onClick={(event) => event.target === event.currentTarget && isPressedBeside.current && onClose()}
      onPointerDown={(event) => {
        isByKey.current = false;
        isPressedBeside.current = event.target === event.currentTarget;
      }}
      onKeyDown={() => (isByKey.current = true)}
      className={styles["dialog"]}
      aria-labelledby={id}
      onCancel={(event) => {
        // The file picker's `cancel` bubbles.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // `close` is asynchronous: the dialog may be open again.
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

/** Stays visible while a long dialog scrolls. */
export function DialogActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles["actions"]}>{children}</div>;
}
