import { useLayoutEffect, useRef, type CSSProperties, type ReactNode } from "react";

import styles from "./bar-chart.module.css";
import { Row } from "./layout.tsx";
import quiet from "./quiet-action.module.css";

export interface Bar {
  readonly key: string | number;
  readonly label: string;
  /** Drawn instead of the label where the bars are too narrow for it. */
  readonly shortLabel?: string;
  /** The value as it is written above the bar; "" where there is none yet. */
  readonly value: string;
  /** Per cent of the chart's height. */
  readonly height: number;
  readonly tone: "mine" | "others" | "beer";
  /** A word under the label that makes this bar stand out: whose it is, or which day. */
  readonly mark?: string;
  /** A quiet word in the place of a mark. */
  readonly note?: ReactNode;
  readonly picture?: ReactNode;
}

interface BarChartProps {
  /** What the bars show; the text alternative is the list itself. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** In px, with the buttons of a long chart; the values above the bars and the captions beneath come on top. */
  readonly height: number;
  /** In px; in a fitted chart the bars become narrower where there is no room. */
  readonly barWidth: number;
  /**
   * `fit`: all bars share the width; `scroll`: columns of at least 3.75 rem that scroll sideways, the first and the own bar in view;
   * `dense`: the same with columns as narrow as their values and short labels allow, the marked bar in view.
   */
  readonly layout: "fit" | "scroll" | "dense";
  /** What the values are about, say a period: with another one the marked bar comes into view again. */
  readonly subject?: string | undefined;
  /** Said over the bars where there is nothing to see yet. */
  readonly emptyText?: string | undefined;
}

/** From this number of columns that scroll, two buttons lead to the first one and to the marked one. */
const manyBars = 12;

const way = `${quiet["action"]} ${styles["way"]}`;

export function BarChart({ label, bars, height, barWidth, layout, subject, emptyText }: BarChartProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  /** Somebody has scrolled to other bars, and stays there when the values change. */
  const isElsewhere = useRef(false);
  const isLong = layout === "scroll" && bars.length >= manyBars;
  const values = bars.map(({ key, value }) => `${key} ${value}`).join();
  useLayoutEffect(() => {
    isElsewhere.current = false;
  }, [subject]);
  useLayoutEffect(() => {
    // Called before the chart is painted, but after the browser has measured it anyway.
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      if (!isElsewhere.current && !isMarkedInView(list.current)) showMarked(list.current, layout);
    });
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, [layout, values]);
  const sizes = {
    "--chart-height": `${height}px`,
    "--bar-width": `${barWidth}px`,
    "--characters": Math.max(
      ...bars.map(({ value, label: full, shortLabel = full }) => Math.max(value.length, shortLabel.length)),
    ),
  } as CSSProperties;
  // What scrolls and holds nothing that takes the focus takes it itself, to be scrolled by keys.
  const focus = layout === "dense" ? { tabIndex: 0 } : undefined;
  return (
    <div className={styles["frame"]} data-has-leader={(layout === "scroll" && emptyText === undefined) || undefined}>
      {emptyText !== undefined && <p className={styles["empty"]}>{emptyText}</p>}
      <ul
        ref={list}
        className={styles[layout]}
        style={sizes}
        // oxlint-disable-next-line no-redundant-roles -- Safari takes the role from a list without markers
        role="list"
        aria-label={label}
        onScroll={({ currentTarget }) => {
          currentTarget.toggleAttribute("data-scrolled", currentTarget.scrollLeft > 0);
          isElsewhere.current = !isMarkedInView(currentTarget);
        }}
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
          <button type="button" className={way} onClick={() => list.current?.scrollTo({ left: 0 })}>
            Nach vorn
          </button>
          {bars.some(({ mark }) => mark !== undefined) && (
            <button type="button" className={way} onClick={() => showMarked(list.current, layout)}>
              Zu mir
            </button>
          )}
        </Row>
      )}
    </div>
  );
}

/** A bar's height in per cent of the highest, two decimals; 0 if all are 0. */
export function barHeight(value: number, values: readonly number[]): number {
  const maximum = Math.max(0, ...values);
  return maximum === 0 ? 0 : Math.round((value / maximum) * 10_000) / 100;
}

/** Whether nobody has to scroll to see it, and the leader at the edge does not cover it. */
function isMarkedInView(list: HTMLElement | null): boolean {
  const shown = list?.querySelector<HTMLElement>("[data-marked]");
  if (!list || !shown) return true;
  const first = list.firstElementChild!.getBoundingClientRect();
  const marked = shown.getBoundingClientRect();
  const { left, right } = list.getBoundingClientRect();
  const start = list.firstElementChild === shown ? left : Math.max(left, first.right);
  return marked.left >= start - 1 && marked.right <= right + 1;
}

/** Scrolls the marked bar to the middle; of days and months what is over tells more than what is to come. */
function showMarked(list: HTMLElement | null, layout: BarChartProps["layout"]): void {
  const shown = list?.querySelector<HTMLElement>("[data-marked]");
  if (!list || !shown) return;
  const middle = layout === "dense" ? list.clientWidth - shown.offsetWidth : list.clientWidth / 2;
  list.scrollTo({ left: shown.offsetLeft + shown.offsetWidth / 2 - middle });
}
