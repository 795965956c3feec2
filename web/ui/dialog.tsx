import { useEffect, useId, useRef, type ReactNode } from "react";

import styles from "./dialog.module.css";
import { focusHeading } from "./heading-focus.ts";
import { Stack } from "./layout.tsx";

export interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Called on Escape, Android's Back, a click outside or a closing button; the parent then sets `isOpen` to `false`. */
  onClose: () => void;
  children: ReactNode;
  /** Buttons at the bottom of the dialog; the main button comes last. */
  footer?: ReactNode;
}

/** A modal dialog; after it closes, the focus returns to the element that opened it. */
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
    // Safari draws a focus ring even after a tap: the element is focused again without a ring. Text fields keep their
    // ring.
    if (isByKey.current || document.activeElement?.matches(":read-write")) return;
    const focused = isOpen ? heading.current : document.activeElement;
    if (!(focused instanceof HTMLElement)) return;
    focused.blur();
    // Scrolls to the title of an opened dialog, because Firefox would scroll to the first control.
    focused.focus({ preventScroll: !isOpen, focusVisible: false });
  }, [isOpen]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- by key it is Escape
    <dialog
      ref={ref}
      // Only clicks on the backdrop have the dialog element as their target. The press must begin on the backdrop, too,
      // because a press that selects text may end there.
      onClick={(event) => event.target === event.currentTarget && isPressedBeside.current && onClose()}
      onPointerDown={(event) => {
        isByKey.current = false;
        isPressedBeside.current = event.target === event.currentTarget;
      }}
      onKeyDown={() => (isByKey.current = true)}
      className={styles["dialog"]}
      aria-labelledby={id}
      onCancel={(event) => {
        // The file picker's `cancel` event bubbles; ignore it.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // The `close` event is asynchronous: the dialog may have been opened again before the event.
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

/** The buttons at the bottom of a dialog, which remain visible while a long dialog scrolls. */
export function DialogActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles["actions"]}>{children}</div>;
}
