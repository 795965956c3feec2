import { useRef, useState, type SubmitEvent, type ReactNode } from "react";

import { getMemberAvatar } from "#contract/height-calculator.ts";
import { call } from "#web/client/api.ts";
import { showMessage, type Message } from "#web/page/messages.tsx";
import { useGroup, useMember } from "#web/page/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Page, Stack } from "#web/ui/layout.tsx";
import styles from "./height-calculator-page.module.css";
import { describeHeight } from "./rules.ts";

export function HeightCalculatorPage(): ReactNode {
  const [height, setHeight] = useState("");
  const [measured, setMeasured] = useState<number | null>(null);
  const { height_requested_by } = useGroup();
  const isMember = useMember() !== null;
  const requester = useRef<Promise<Requester | undefined>>(undefined);
  const result = measured === null ? null : describeHeight(measured);

  const calculate = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setMeasured(Number(height));
    // Loads while the visitor reads; guests may not load members.
    requester.current = isMember ? findRequester() : undefined;
  };
  const close = async (): Promise<void> => {
    if (measured === null) return;
    setMeasured(null);
    const { name, ...picture } = (await requester.current) ?? { name: height_requested_by };
    showMessage({ type: "warning", text: `Diese Funktion wurde angefragt von ${name} ...`, ...picture });
  };
  return (
    <Page title="Der Fabulöse Größenrechner">
      <div className={styles["card"]}>
        <BeerMat shape="square">
          <div className={styles["mat"]}>
            <Ruler centimeters={Number(height)} />
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
        <p className={styles["meters"]}>{result?.meters}</p>
        <p>{result?.feet}</p>
        {result?.remark && <p className={styles["remark"]}>{result.remark}</p>}
      </Dialog>
    </Page>
  );
}

/** Top of the ruler in cm. */
const tallest = 230;
const base = 232;
const glass = `M40 2H84L80 ${base}H44Z`;

function Ruler({ centimeters }: { centimeters: number }): ReactNode {
  const shown = Math.min(tallest, Math.max(0, Number.isFinite(centimeters) ? centimeters : 0));
  const level = { transform: `translateY(${base - shown}px)` };
  return (
    <svg className={styles["ruler"]} viewBox="0 0 90 240" aria-hidden="true">
      <rect x="2" y="2" width="30" height="236" rx="4" className={styles["stick"]} />
      {Array.from({ length: 23 }, (_, index) => (
        <path
          key={index}
          className={styles["mark"]}
          d={`M32 ${base - (index + 1) * 10}h${(index + 1) % 5 === 0 ? -16 : -8}`}
        />
      ))}
      {[50, 100, 150, 200].map((mark) => (
        <text key={mark} className={styles["figure"]} x="5" y={base - mark - 3}>
          {mark}
        </text>
      ))}
      <path className={styles["glass"]} d={glass} />
      <clipPath id="glass">
        <path d={glass} />
      </clipPath>
      <g clipPath="url(#glass)">
        <path className={styles["beer"]} d="M40 0H90V240H40Z" style={level} />
      </g>
      <g className={styles["surface"]} data-empty={shown === 0 || undefined} style={level}>
        <path
          d="M42 14C34 12 36 2 43 3 46-4 56-4 59 1 64-5 75-3 77 3 86 2 89 13 81 15 79 22 71 21 70 15 65 19 58 20 55 15 51 20 44 20 42 14Z"
          className={styles["foam"]}
        />
        <path className={styles["line"]} d="M32 0H90" />
      </g>
    </svg>
  );
}

/** The member who asked for this page. */
const requesterId = 2;
/** After this time, the message is shown without the requester. */
const maxWaitMs = 3000;

interface Requester extends Pick<Message, "member"> {
  readonly name: string;
}

/** Returns `undefined` after a failure or timeout. Only members may call it. */
async function findRequester(): Promise<Requester | undefined> {
  try {
    const signal = AbortSignal.timeout(maxWaitMs);
    const { avatarId, name } = await call(getMemberAvatar, { params: { id: requesterId }, signal });
    if (avatarId !== null && !(await canLoadPicture(avatarId, signal))) return { name };
    return { name, member: { avatarId, name } };
  } catch {
    return undefined;
  }
}

function canLoadPicture(id: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image();
    image.addEventListener("load", () => resolve(true));
    image.addEventListener("error", () => resolve(false));
    signal.addEventListener("abort", () => resolve(false));
    image.src = `/internal/images/avatar/${id}`;
  });
}
