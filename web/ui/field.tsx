import { useId, useState, type InputHTMLAttributes, type ReactNode, type Ref } from "react";

import styles from "./field.module.css";

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "id" | "type"> {
  label: string;
  name: string;
  type?: "text" | "email" | "password" | "number" | "url" | "search" | "time";
  /** Sentences of the last attempt; they stand under the field and are read with it. */
  errors?: readonly string[] | undefined;
  /** What helps before anything went wrong. */
  hint?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** A labelled input with its errors. Passwords get a switch that shows what was typed. */
export function Field({ label, type = "text", errors = [], hint, ...rest }: FieldProps): ReactNode {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const isPassword = type === "password";
  const hasErrors = errors.length > 0;
  const described = [hasErrors ? `${id}-errors` : "", hint === undefined ? "" : `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className={styles["field"]}>
      <label className={styles["label"]} htmlFor={id}>
        {label}
      </label>
      <div className={styles["frame"]}>
        <input
          {...rest}
          id={id}
          type={isPassword && isShown ? "text" : type}
          className={styles["input"]}
          aria-invalid={hasErrors || undefined}
          aria-describedby={described || undefined}
          {...(isPassword ? { spellCheck: false, autoCapitalize: "none", autoCorrect: "off" } : {})}
        />
        {isPassword && (
          // Named without the field's own word, so that the field stays the only thing called that.
          <button
            type="button"
            className={styles["reveal"]}
            aria-label="Eingabe anzeigen"
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            <EyeIcon isOpen={isShown} />
          </button>
        )}
      </div>
      {hasErrors && (
        <ul className={styles["errors"]} id={`${id}-errors`}>
          {errors.map((error) => (
            <li key={error}>{error}</li>
          ))}
        </ul>
      )}
      {hint !== undefined && (
        <p className={styles["hint"]} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function EyeIcon({ isOpen }: { isOpen: boolean }): ReactNode {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false" className={styles["eye"]}>
      <path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7z" />
      <circle cx="12" cy="12" r="3" />
      {!isOpen && <path d="M3.5 3.5l17 17" />}
    </svg>
  );
}
