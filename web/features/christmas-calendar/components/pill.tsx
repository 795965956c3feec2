import type { ComponentPropsWithRef, ReactNode } from "react";

import styles from "./pill.module.css";

/** A round button on the night sky. */
export function Pill({ className = "", ...props }: ComponentPropsWithRef<"button">): ReactNode {
  return <button type="button" {...props} className={`${styles["pill"]} ${className}`} />;
}
