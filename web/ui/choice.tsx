import { type ComponentProps, useId, type ReactNode } from "react";

import styles from "./choice.module.css";
import { Hint } from "./text.tsx";

export interface ChoiceProps<Value extends string> {
  /** Shown above the options. */
  label: string;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
  /** Menu items or radio buttons. */
  place: "menu" | "page";
}

export function Choice<Value extends string>({
  label,
  options,
  value,
  onChange,
  place,
}: ChoiceProps<Value>): ReactNode {
  const name = useId();
  return (
    <div className={styles["choice"]}>
      <span className={styles["label"]} aria-hidden="true">
        {label}
      </span>
      <div className={styles["options"]} role={place === "menu" ? "group" : "radiogroup"} aria-label={label}>
        {options.map((option) =>
          place === "menu" ? (
            <button
              key={option.value}
              type="button"
              role="menuitemradio"
              aria-checked={option.value === value}
              tabIndex={-1}
              className={styles["option"]}
              onClick={() => onChange(option.value)}
            >
              {option.icon}
              {option.label}
            </button>
          ) : (
            <label key={option.value} className={styles["option"]}>
              <input
                type="radio"
                className="covering-input"
                name={name}
                checked={option.value === value}
                onChange={() => onChange(option.value)}
              />
              {option.icon}
              {option.label}
            </label>
          ),
        )}
      </div>
    </div>
  );
}

export interface SwitchProps {
  label: string;
  hint?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  disabled?: boolean;
}

/** Reacts to taps anywhere on its line. */
export function Switch({ label, hint, isOn, onChange, disabled = false }: SwitchProps): ReactNode {
  const id = useId();
  return (
    <div className={styles["line"]} data-disabled={disabled || undefined}>
      <label className={styles["switch-label"]} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className={styles["input"]}
        checked={isOn}
        aria-checked={isOn}
        // With `disabled`, the switch would lose the focus with every change.
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

export interface RadioProps extends Omit<ComponentProps<"input">, "type" | "className"> {
  label: string;
  hint: string;
}

/** An option with a sentence, in a `fieldset` or `radiogroup`. */
export function Radio({ label, hint, ...input }: RadioProps): ReactNode {
  const id = useId();
  return (
    <label className={styles["radio"]}>
      <input type="radio" className={styles["dot"]} aria-labelledby={id} aria-describedby={`${id}-hint`} {...input} />
      <span id={id}>{label}</span>
      <Hint as="span" id={`${id}-hint`} className={styles["sentence"]}>
        {hint}
      </Hint>
    </label>
  );
}
