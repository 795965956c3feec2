import type { ComponentPropsWithRef, ReactNode } from "react";

import styles from "./pill.module.css";

/** Button with round ends for the dark background of the calendar page. */
export function Pill({ className = "", ...props }: ComponentPropsWithRef<"button">): ReactNode {
  return <button type="button" {...props} className={`${styles["pill"]} ${className}`} />;
}
