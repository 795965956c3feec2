import { useId, type ReactNode } from "react";

import { Hint } from "./hint.tsx";
import styles from "./switch.module.css";

export interface SwitchProps {
  label: string;
  /** Explains the setting in a sentence. */
  hint?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  disabled?: boolean;
}

/** A labelled switch that can be tapped anywhere on its line. */
export function Switch({ label, hint, isOn, onChange, disabled = false }: SwitchProps): ReactNode {
  const id = useId();
  return (
    <div className={styles["line"]} data-disabled={disabled || undefined}>
      <label className={styles["label"]} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className={styles["input"]}
        checked={isOn}
        aria-checked={isOn}
        // With `disabled`, the switch would lose the focus whenever a change is being saved.
        aria-disabled={disabled || undefined}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => disabled || onChange(event.currentTarget.checked)}
      />
      {hint !== undefined && (
        <Hint id={`${id}-hint`} className={styles["hint"]}>
          {hint}
        </Hint>
      )}
    </div>
  );
}
