import { use, useId, type InputHTMLAttributes, type ReactNode } from "react";

import styles from "./checkbox.module.css";
import { FieldErrorList, FormErrors } from "./field.tsx";

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "type"> {
  label: string;
  name: string;
}

/** A checkbox that can be tapped anywhere on its line, and the field's errors. */
export function Checkbox({ label, ...rest }: CheckboxProps): ReactNode {
  const id = useId();
  const errors = use(FormErrors)[rest.name] ?? [];
  const isInvalid = errors.length > 0;
  return (
    <>
      <label className={styles["line"]}>
        <input
          {...rest}
          type="checkbox"
          className={styles["input"]}
          aria-invalid={isInvalid || undefined}
          aria-describedby={isInvalid ? id : undefined}
        />
        {label}
      </label>
      {isInvalid && <FieldErrorList id={id} errors={errors} />}
    </>
  );
}
