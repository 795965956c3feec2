import {
  useLayoutEffect,
  useRef,
  type ButtonHTMLAttributes,
  type ReactNode,
  type ComponentProps,
  type ComponentPropsWithRef,
  type ElementType,
} from "react";

import styles from "./button.module.css";
import { focusHeading } from "./heading-focus.ts";
import { Spinner } from "./icons.tsx";

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  kind?: "primary" | "plain" | "danger";
  /** A spinner covers the label; the width stays, and the button is disabled. */
  isBusy?: boolean;
  isWide?: boolean;
}

/** For links that look like buttons. */
export const buttonStyle = styles["button"];

export function Button({
  kind = "plain",
  isBusy = false,
  isWide = false,
  type = "button",
  disabled,
  children,
  ...rest
}: ButtonProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  // A busy button is disabled and loses the focus, which returns unless it has moved elsewhere.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (!isBusy && hadFocus.current && activeElement === body) button.current?.focus({ preventScroll: true });
    hadFocus.current = isBusy && activeElement === button.current;
  }, [isBusy]);
  useLayoutEffect(() => {
    const element = button.current!;
    return () => {
      const { activeElement, body } = document;
      if (activeElement === element || (hadFocus.current && activeElement === body)) focusHeading(element);
    };
  }, []);
  return (
    <button
      {...rest}
      ref={button}
      type={type}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy}
      className={buttonStyle}
      data-kind={kind}
      data-guarded={kind === "danger" || undefined}
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

interface IconButtonProps extends Omit<ComponentProps<"button">, "type" | "aria-label"> {
  readonly label: string;
}

export function IconButton({ label, className = "", ...rest }: IconButtonProps): ReactNode {
  return <button {...rest} type="button" className={`touch-target ${className}`} aria-label={label} />;
}

type QuietActionProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  readonly as?: Tag;
};

/** Has no size and padding of its own. */
export function QuietAction<Tag extends ElementType = "button">(props: QuietActionProps<Tag>): ReactNode {
  const { as, className = "", ...rest } = props;
  const Element: ElementType = as ?? "button";
  return (
    <Element {...(as === undefined && { type: "button" })} {...rest} className={`${styles["action"]} ${className}`} />
  );
}
