import { useRef, useState, type SubmitEvent, type ReactNode } from "react";

import { useGroup, useSession } from "#web/session/session.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Page, Stack } from "#web/ui/layout.tsx";
import { Ruler } from "./components/ruler.tsx";
import styles from "./page.module.css";
import { findRequester, type Requester } from "./queries.ts";
import { describeHeight, thanksText } from "./rules.ts";

export function HeightCalculatorPage(): ReactNode {
  const [height, setHeight] = useState("");
  const [measured, setMeasured] = useState<number | null>(null);
  const { height_requested_by } = useGroup();
  const isMember = useSession().user !== null;
  const requester = useRef<Promise<Requester | undefined>>(undefined);
  const result = measured === null ? null : describeHeight(measured);

  const calculate = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setMeasured(Number(height));
    // Starts to load the member who asked for this page while the visitor reads the result.
    // Visitors without a login may not load members.
    requester.current = isMember ? findRequester() : undefined;
  };
  const close = async (): Promise<void> => {
    if (measured === null) return;
    setMeasured(null);
    const { name, picture } = (await requester.current) ?? { name: height_requested_by };
    showFlash({ type: "warning", text: thanksText(name), picture });
  };
  return (
    <Page title="Der Fabulöse Größenrechner">
      <div className={styles["card"]}>
        <BeerMat shape="square">
          <div className={styles["mat"]}>
            <Ruler centimetres={Number(height)} />
            <Stack as="form" onSubmit={calculate}>
              <Field
                label="Deine Größe in cm"
                name="height"
                type="number"
                inputMode="decimal"
                min={0}
                step="any"
                required
                autoComplete="off"
                value={height}
                onChange={(event) => setHeight(event.target.value)}
              />
              <Button type="submit" kind="primary" isWide disabled={height === ""}>
                Berechnen
              </Button>
            </Stack>
          </div>
        </BeerMat>
      </div>
      <Dialog
        title="Deine Größe"
        isOpen={result !== null}
        onClose={() => void close()}
        footer={
          <Button kind="primary" onClick={() => void close()}>
            OK cool.
          </Button>
        }
      >
        <p className={styles["metres"]}>{result?.metres}</p>
        <p>{result?.feet}</p>
        {result?.remark && <p className={styles["remark"]}>{result.remark}</p>}
      </Dialog>
    </Page>
  );
}
