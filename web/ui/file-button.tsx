import { useRef, type ReactNode } from "react";

import { Button, type ButtonProps } from "./button.tsx";

interface FileButtonProps extends Pick<ButtonProps, "kind" | "isBusy" | "isWide" | "disabled" | "children"> {
  /** Names the files to pick: "Bilder für den Kalender". */
  readonly what: string;
  /** File name extensions and content types, like `accept` of an input. */
  readonly accept: string;
  readonly isMultiple?: boolean;
  /** Called on click; if it returns `false`, the file picker is not opened. */
  readonly canPick?: () => boolean;
  /** Called with the picked files, at least one. */
  readonly onPick: (files: readonly File[]) => void;
}

/** A button that opens the file picker. */
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
          // Allows picking the same files again.
          target.value = "";
        }}
      />
      <Button {...button} onClick={() => canPick() && input.current?.click()} />
    </>
  );
}
