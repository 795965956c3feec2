import { useRef, type ReactNode } from "react";

import { Button, type ButtonProps } from "./button.tsx";

interface FileButtonProps extends Pick<ButtonProps, "kind" | "isBusy" | "isWide" | "disabled" | "children"> {
  /** What is picked: "Bilder für den Kalender". */
  readonly what: string;
  /** Endings and content types, as `accept` of an input takes them. */
  readonly accept: string;
  readonly isMultiple?: boolean;
  /** Asked at a click; false: nothing can be picked now. */
  readonly canPick?: () => boolean;
  /** At least one file. */
  readonly onPick: (files: readonly File[]) => void;
}

/** A button that opens the device's files. */
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
          // So that the same files can be picked again.
          target.value = "";
        }}
      />
      <Button {...button} onClick={() => canPick() && input.current?.click()} />
    </>
  );
}
