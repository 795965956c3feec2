import type { InputHTMLAttributes, ReactNode } from "react";

import styles from "./checkbox.module.css";

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "type"> {
  label: string;
  name: string;
}

/** A box that is ticked off with a pencil stroke; the whole line can be tapped. */
export function Checkbox({ label, ...rest }: CheckboxProps): ReactNode {
  return (
    <label className={styles["line"]}>
      <input {...rest} type="checkbox" className={styles["input"]} />
      {label}
    </label>
  );
}
