import { Eye, EyeOff, ChevronDown } from "lucide-react";
import {
  createContext,
  use,
  useEffect,
  useId,
  useRef,
  useState,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
} from "react";

import { Button, type ButtonProps } from "./button.tsx";
import styles from "./field.module.css";
import { Stack } from "./layout.tsx";
import { Hint } from "./text.tsx";

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "type"> {
  label: string;
  name: string;
  type?: "text" | "email" | "password" | "number" | "url" | "search" | "time";
  /** Shown even without an error. */
  hint?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** Errors after the last submission: German sentences by field name. */
export const FormErrors = createContext<Readonly<Record<string, readonly string[] | undefined>>>({});

/** Reveals a password on demand, and counts characters with a `maxLength`. */
export function Field({ label, type = "text", hint, ...rest }: FieldProps): ReactNode {
  const { id, name, maxLength, defaultValue = "" } = rest;
  const [isShown, setShown] = useState(false);
  const initialLength = String(defaultValue).length;
  const [length, setLength] = useState(initialLength);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = frame.current?.closest("form");
    const reset = (): void => setLength(initialLength);
    form?.addEventListener("reset", reset);
    return () => form?.removeEventListener("reset", reset);
  }, [initialLength]);
  const isPassword = type === "password";
  return (
    <FieldFrame
      id={id}
      label={label}
      name={name}
      hint={hint}
      {...(maxLength !== undefined && { count: { length, maxLength } })}
    >
      {(input) => (
        <div ref={frame} className={styles["frame"]}>
          <input
            {...rest}
            {...(maxLength !== undefined && { onInput: (event) => setLength(event.currentTarget.value.length) })}
            {...input}
            type={isPassword && isShown ? "text" : type}
            {...(isPassword ? { spellCheck: false, autoCapitalize: "none", autoCorrect: "off" } : {})}
          />
          {isPassword && (
            // Only the field itself has its label as accessible name.
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

interface FieldFrameProps extends Pick<FieldProps, "id" | "label" | "name" | "hint"> {
  readonly count?: { readonly length: number; readonly maxLength: number };
  /** The input's attributes connect it to its label, errors and hint. */
  readonly children: (input: InputHTMLAttributes<HTMLElement>) => ReactNode;
}

/** Lets screen readers read errors, hint, and the limit of a count with the input. */
export function FieldFrame({ id: givenId, label, name, hint, count, children }: FieldFrameProps): ReactNode {
  const ownId = useId();
  const id = givenId ?? ownId;
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

/** Lists errors after the form's last submission. */
export function FieldErrorList({ id, errors }: { id: string; errors: readonly string[] }): ReactNode {
  return (
    <Stack as="ul" gap={1} className={styles["errors"]} id={id}>
      {errors.map((error) => (
        <li key={error}>{error}</li>
      ))}
    </Stack>
  );
}

export interface SelectProps {
  label: string;
  name: string;
  options: readonly { value: string; label: string }[];
  defaultValue?: string;
  onChange?: (value: string) => void;
}

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

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "type"> {
  label: string;
  name: string;
}

/** Reacts to taps anywhere on its line. */
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
          className={styles["checkbox-input"]}
          aria-invalid={isInvalid || undefined}
          aria-describedby={isInvalid ? id : undefined}
        />
        {label}
      </label>
      {isInvalid && <FieldErrorList id={id} errors={errors} />}
    </>
  );
}

interface FileButtonProps extends Pick<ButtonProps, "kind" | "isBusy" | "isWide" | "disabled" | "children"> {
  /** Files to pick, e.g. "Bilder für den Kalender". */
  readonly what: string;
  /** Like `accept` of an input. */
  readonly accept: string;
  readonly isMultiple?: boolean;
  /** Returns `false` to keep the file picker closed. */
  readonly canPick?: () => boolean;
  /** Called with at least one file. */
  readonly onPick: (files: readonly File[]) => void;
}

export function FileButton(props: FileButtonProps): ReactNode {
  const { what, accept, isMultiple = false, canPick = () => true, onPick, ...button } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMultiple}
        aria-label={what}
        accept={accept}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          if (files.length > 0) onPick(files);
          // The same files can be picked again.
          target.value = "";
        }}
      />
      <Button {...button} onClick={() => canPick() && input.current?.click()} />
    </>
  );
}
