import type { ComponentProps, ReactNode } from "react";

interface IconButtonProps extends Omit<ComponentProps<"button">, "type" | "aria-label"> {
  readonly label: string;
}

/** A round button that shows only an icon, and its label to screen readers. */
export function IconButton({ label, className = "", ...rest }: IconButtonProps): ReactNode {
  return <button {...rest} type="button" className={`touch-target ${className}`} aria-label={label} />;
}
