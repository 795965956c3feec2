import { useLayoutEffect, useRef, type CSSProperties, type ReactNode } from "react";

import styles from "./bar-chart.module.css";

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
  readonly picture?: ReactNode;
}

interface BarChartProps {
  /** What the bars show; the text alternative is the list itself. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** In px; the values above the bars and the captions beneath come on top. */
  readonly height: number;
  /** In px; in a fitted chart the bars become narrower where there is no room. */
  readonly barWidth: number;
  /**
   * `fit`: all bars share the width; `scroll`: columns of at least 98 px that scroll sideways, the own bar in view;
   * `dense`: the same with columns as narrow as their values and short labels allow, the marked bar in view.
   */
  readonly layout: "fit" | "scroll" | "dense";
  /** Said over the bars where there is nothing to see yet. */
  readonly emptyText?: string | undefined;
}

export function BarChart({ label, bars, height, barWidth, layout, emptyText }: BarChartProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const shown = list.current?.querySelector<HTMLElement>("[data-marked]");
    if (!list.current || !shown) return;
    // In the middle; of days and months what is over tells more than what is to come.
    const middle = layout === "dense" ? list.current.clientWidth - shown.offsetWidth : list.current.clientWidth / 2;
    list.current.scrollLeft = shown.offsetLeft + shown.offsetWidth / 2 - middle;
  }, [layout]);
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
    <div className={styles["frame"]}>
      {emptyText !== undefined && <p className={styles["empty"]}>{emptyText}</p>}
      {/* Safari takes the role from a list without markers unless it says so. */}
      {/* oxlint-disable-next-line no-redundant-roles */}
      <ul ref={list} className={styles[layout]} style={sizes} role="list" aria-label={label} {...focus}>
        {bars.map((bar) => (
          <li key={bar.key} className={styles["column"]} data-marked={bar.mark === undefined ? undefined : true}>
            <span className={styles["label"]} title={bar.label} data-short={bar.shortLabel}>
              <span className={styles["word"]}>{bar.label}</span>
            </span>{" "}
            <span className={styles["plot"]}>
              <span className={styles["value"]} style={{ bottom: `${bar.height}%` }}>
                {bar.value}
              </span>
              <span
                className={styles["bar"]}
                style={{ height: `${bar.height}%` }}
                data-bar=""
                data-tone={bar.value === "" ? undefined : bar.tone}
                data-own={bar.tone === "mine" ? "" : undefined}
              />
            </span>{" "}
            <span className={styles["mark"]}>{bar.mark}</span>
            {bar.picture}
          </li>
        ))}
      </ul>
    </div>
  );
}
