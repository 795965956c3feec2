import { useId, type ReactNode } from "react";

import styles from "./field.module.css";

export interface SelectProps {
  label: string;
  name: string;
  options: readonly { value: string; label: string }[];
  defaultValue?: string;
  errors?: readonly string[] | undefined;
  hint?: string;
}

/** A labelled choice out of a few; looks and speaks like a field. */
export function Select({ label, name, options, defaultValue, errors = [], hint }: SelectProps): ReactNode {
  const id = useId();
  const hasErrors = errors.length > 0;
  const note = hasErrors ? errors.join(" ") : hint;
  return (
    <div className={styles["field"]}>
      <label className={styles["label"]} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        name={name}
        className={styles["input"]}
        defaultValue={defaultValue}
        aria-invalid={hasErrors || undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {note !== undefined && (
        <p className={styles["hint"]} id={`${id}-note`} data-error={hasErrors || undefined}>
          {note}
        </p>
      )}
    </div>
  );
}
