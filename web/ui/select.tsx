import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

import styles from "./field.module.css";
import { FieldFrame } from "./field.tsx";

export interface SelectProps {
  label: string;
  name: string;
  options: readonly { value: string; label: string }[];
  defaultValue?: string;
  onChange?: (value: string) => void;
}

/** A labelled select that looks like a field. */
export function Select({ label, name, options, defaultValue, onChange }: SelectProps): ReactNode {
  return (
    <FieldFrame label={label} name={name}>
      {(select) => (
        <div className={styles["select"]}>
          <select
            {...select}
            name={name}
            defaultValue={defaultValue}
            onChange={(event) => onChange?.(event.currentTarget.value)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown size={20} />
        </div>
      )}
    </FieldFrame>
  );
}
