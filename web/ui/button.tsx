import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";

import styles from "./button.module.css";
import { Spinner } from "./spinner.tsx";

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  kind?: "primary" | "plain" | "danger";
  /** Shows a spinner over the label, whose width stays; the button is disabled meanwhile. */
  isBusy?: boolean;
  /** As wide as its place. */
  isWide?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  kind = "plain",
  isBusy = false,
  isWide = false,
  type = "button",
  disabled,
  children,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy}
      className={styles["button"]}
      data-kind={kind}
      data-wide={isWide || undefined}
    >
      <span className={styles["label"]}>{children}</span>
      {isBusy && (
        <span className={styles["spinner"]}>
          <Spinner size={20} />
        </span>
      )}
    </button>
  );
}
