import { Eye, EyeOff } from "lucide-react";
import { createContext, use, useId, useState, type InputHTMLAttributes, type ReactNode, type Ref } from "react";

import styles from "./field.module.css";
import { Hint } from "./hint.tsx";
import { Stack } from "./layout.tsx";

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "id" | "type"> {
  label: string;
  name: string;
  type?: "text" | "email" | "password" | "number" | "url" | "search" | "time";
  /** What helps before anything went wrong. */
  hint?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** What was wrong with the last attempt of the form around, in sentences by the name of the field. */
export const FormErrors = createContext<Readonly<Record<string, readonly string[] | undefined>>>({});

/** A labelled input with its errors. Passwords get a switch that shows what was typed, a `maxLength` a count of the characters. */
export function Field({ label, type = "text", hint, ...rest }: FieldProps): ReactNode {
  const { name, maxLength, defaultValue = "" } = rest;
  const [isShown, setShown] = useState(false);
  const [length, setLength] = useState(String(defaultValue).length);
  const isPassword = type === "password";
  return (
    <FieldFrame
      label={label}
      name={name}
      hint={hint}
      {...(maxLength !== undefined && { count: { length, maxLength } })}
    >
      {(input) => (
        <div className={styles["frame"]}>
          <input
            {...rest}
            {...(maxLength !== undefined && { onInput: (event) => setLength(event.currentTarget.value.length) })}
            {...input}
            type={isPassword && isShown ? "text" : type}
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
              {isShown ? <Eye size={22} /> : <EyeOff size={22} />}
            </button>
          )}
        </div>
      )}
    </FieldFrame>
  );
}

interface FieldFrameProps extends Pick<FieldProps, "label" | "name" | "hint"> {
  /** How many characters have been typed, and may be. */
  readonly count?: { readonly length: number; readonly maxLength: number };
  /** Gets what connects an input with its label, errors and hint. */
  readonly children: (input: InputHTMLAttributes<HTMLElement>) => ReactNode;
}

/** The label above an input, and beneath it its errors, which are read with it, and its hint. Of a count only the limit is read. */
export function FieldFrame({ label, name, hint, count, children }: FieldFrameProps): ReactNode {
  const id = useId();
  const errors = use(FormErrors)[name] ?? [];
  const hasErrors = errors.length > 0;
  const described = [hasErrors && `${id}-errors`, hint !== undefined && `${id}-hint`, count && `${id}-limit`]
    .filter(Boolean)
    .join(" ");
  return (
    <Stack gap={1} className={styles["field"]}>
      <div className={styles["head"]}>
        <label className={styles["label"]} htmlFor={id}>
          {label}
        </label>
        {count && (
          <>
            <span
              className={styles["count"]}
              data-full={count.length >= count.maxLength || undefined}
              aria-hidden="true"
            >
              {count.length}/{count.maxLength}
            </span>
            <span className="visually-hidden" id={`${id}-limit`}>
              Höchstens {count.maxLength} Zeichen
            </span>
          </>
        )}
      </div>
      {children({
        id,
        className: styles["input"],
        "aria-invalid": hasErrors || undefined,
        "aria-describedby": described || undefined,
      })}
      {hasErrors && <FieldErrorList id={`${id}-errors`} errors={errors} />}
      {hint !== undefined && <Hint id={`${id}-hint`}>{hint}</Hint>}
    </Stack>
  );
}

/** The problems of a field in the last attempt. */
export function FieldErrorList({ id, errors }: { id: string; errors: readonly string[] }): ReactNode {
  return (
    <Stack as="ul" gap={1} className={styles["errors"]} id={id}>
      {errors.map((error) => (
        <li key={error}>{error}</li>
      ))}
    </Stack>
  );
}
