import { useLayoutEffect, useRef, type CSSProperties, type ReactNode } from "react";

import styles from "./bar-chart.module.css";
import { QuietAction } from "./button.tsx";
import { Row } from "./layout.tsx";

export interface Bar {
  readonly key: string | number;
  readonly label: string;
  /** For bars that are too narrow for `label`. */
  readonly shortLabel?: string;
  /** "" if there is no value yet. */
  readonly value: string;
  /** In percent of the chart's height. */
  readonly height: number;
  readonly tone: "mine" | "others" | "beer";
  /** Highlights this bar, e.g. "Du" or "heute". */
  readonly mark?: string;
  /** Text in place of a missing `mark`. */
  readonly note?: ReactNode;
  readonly picture?: ReactNode;
}

interface BarChartProps {
  /** Accessible name. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** In px, with the buttons of a long chart, without values and captions. */
  readonly height: number;
  /** Maximum in px; never wider than its column. */
  readonly barWidth: number;
  /**
   * `fit`: all columns share the width. `scroll`: from eight bars on, the first one stays beside the others. `dense`:
   * as narrow as values and short labels.
   */
  readonly layout: "fit" | "scroll" | "dense";
  /** Message over the bars of an empty chart. */
  readonly emptyText?: string | undefined;
}

/** From this number on, two buttons scroll to the first and to the marked bar. */
const manyBars = 12;
/** Up to this number, bars fit on a phone side by side. */
const fewBars = 7;

export function BarChart({ label, bars, height, barWidth, layout, emptyText }: BarChartProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  /** The user has scrolled the marked bar out of view: new values then keep the scroll position. */
  const isElsewhere = useRef(false);
  const isFew = layout === "scroll" && bars.length <= fewBars;
  const isLong = layout === "scroll" && bars.length >= manyBars;
  const values = bars.map(({ key, value }) => `${key} ${value}`).join();
  useLayoutEffect(() => {
    // Between layout and paint, so that measuring forces no second layout.
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      if (!isElsewhere.current && !isMarkedInView(list.current)) showMarked(list.current);
    });
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, [values]);
  const sizes = {
    "--chart-height": `${height}px`,
    "--bar-width": `${barWidth}px`,
    "--bars": bars.length,
    "--digits": Math.max(1, ...bars.map(({ value }) => value.length)),
    "--characters": Math.max(
      ...bars.map(({ value, label: full, shortLabel = full }) => Math.max(value.length, shortLabel.length)),
    ),
  } as CSSProperties;
  // Arrow keys scroll only a focusable container.
  const focus = layout === "dense" ? { tabIndex: 0 } : undefined;
  return (
    <div className={styles["frame"]} style={sizes} data-has-leader={(layout === "scroll" && !isFew) || undefined}>
      {emptyText !== undefined && <p className={styles["empty"]}>{emptyText}</p>}
      <ul
        ref={list}
        className={styles[layout]}
        data-few={isFew || undefined}
        // oxlint-disable-next-line no-redundant-roles -- Safari takes the role from a list without markers
        role="list"
        aria-label={label}
        onScroll={({ currentTarget }) => (isElsewhere.current = !isMarkedInView(currentTarget))}
        {...focus}
      >
        {bars.map((bar) => (
          <li key={bar.key} className={styles["column"]} data-marked={bar.mark === undefined ? undefined : true}>
            <span className={styles["label"]} title={bar.label} data-short={bar.shortLabel}>
              <span className={layout === "dense" && bar.shortLabel !== undefined ? "visually-hidden" : styles["word"]}>
                {bar.label}
              </span>
            </span>{" "}
            <span className={styles["plot"]}>
              <span className={styles["value"]} style={{ bottom: `${bar.height}%` }}>
                {bar.value}
              </span>
              <span
                className={styles["bar"]}
                style={{ height: `${bar.height}%`, "--tone": `var(--${bar.tone})` } as CSSProperties}
                data-bar=""
                data-tone={bar.height === 0 ? undefined : bar.tone}
                data-own={bar.tone === "mine" ? "" : undefined}
              />
            </span>{" "}
            <span className={styles["mark"]} data-quiet={bar.mark === undefined || undefined}>
              {bar.mark ?? bar.note}
            </span>
            {bar.picture}
          </li>
        ))}
      </ul>
      {isLong && (
        <Row gap={2} className={styles["ways"]} data-wrap="never" data-justify="center">
          <QuietAction className={styles["way"]} onClick={() => list.current?.scrollTo({ left: 0 })}>
            Nach vorn
          </QuietAction>
          {bars.some(({ mark }) => mark !== undefined) && (
            <QuietAction className={styles["way"]} onClick={() => showMarked(list.current)}>
              Zu mir
            </QuietAction>
          )}
        </Row>
      )}
    </div>
  );
}

/** Returns percent of the highest bar, with two decimals. */
export function barHeight(value: number, values: readonly number[]): number {
  const maximum = Math.max(0, ...values);
  return maximum === 0 ? 0 : Math.round((value / maximum) * 10_000) / 100;
}

function isMarkedInView(list: HTMLElement | null): boolean {
  const shown = list?.querySelector("[data-marked]");
  if (!list || !shown || getComputedStyle(shown).position === "absolute") return true;
  const marked = shown.getBoundingClientRect();
  const { left, right } = list.getBoundingClientRect();
  return marked.left >= left - 1 && marked.right <= right + 1;
}

/**
 * Scrolls to the middle; in a dense chart or one with few bars to the end, where past days and the first bars are
 * visible.
 */
function showMarked(list: HTMLElement | null): void {
  const shown = list?.querySelector("[data-marked]");
  if (!list || !shown) return;
  const marked = shown.getBoundingClientRect();
  const { left, right } = list.getBoundingClientRect();
  const isAtEnd = list.matches(`.${styles["dense"]}, [data-few]`);
  list.scrollBy({ left: isAtEnd ? marked.right - right : (marked.left + marked.right - left - right) / 2 });
}
