import { Copy } from "lucide-react";
import { useRef, type ReactNode } from "react";

import { copyText } from "#web/shared/copy-text.ts";
import { Button } from "#web/ui/button.tsx";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { addCommands, driverLabels } from "../admin-rules.ts";
import styles from "./add-commands.module.css";

/**
 * Shows terminal commands for adding game servers that the admin page cannot add, such as systemd
 * units and scripts.
 */
export function AddCommands(): ReactNode {
  return (
    <Disclosure title="Dienst, Skript oder Programm hinzufügen">
      <Stack gap={2}>
        <Hint>
          Was auf dem Rechner selbst läuft, fügst du dort auf der Befehlszeile hinzu. Setz für die Wörter in
          Großbuchstaben deine ein.
        </Hint>
        <ul className={styles["commands"]}>
          {(["script", "unit", "command"] as const).map((kind) => (
            <CommandLine key={kind} label={driverLabels[kind]} command={addCommands[kind]} />
          ))}
        </ul>
      </Stack>
    </Disclosure>
  );
}

function CommandLine({ label, command }: { label: string; command: string }): ReactNode {
  const text = useRef<HTMLElement>(null);
  const copy = (): Promise<void> =>
    copyText(command, text.current, {
      copied: "Befehl kopiert.",
      selected: "Der Befehl ist markiert: Kopier ihn bitte von Hand.",
    });
  return (
    <Row as="li" gap={2} data-wrap="never" data-justify="between">
      <Stack gap={1}>
        <Hint as="span">{label}</Hint>
        <code ref={text} className={styles["command"]}>
          {command}
        </code>
      </Stack>
      <Button aria-label={`Befehl kopieren: ${label}`} onClick={() => void copy()}>
        <Copy size={20} />
      </Button>
    </Row>
  );
}
