import { useEffect, useState, type ReactNode } from "react";

import styles from "./rolling-number.module.css";

const rollingTime = 450;

/**
 * Shows a number whose changed digits roll to their new value. The new text is in the page at once, and CSS draws the old digits,
 * so that screen readers never read an intermediate number.
 */
export function RollingNumber({ text }: { text: string }): ReactNode {
  const [shown, setShown] = useState<{ text: string; was: string | null }>({ text, was: null });
  if (shown.text !== text) setShown({ text, was: shown.text });
  useEffect(() => {
    if (shown.was === null) return;
    const timer = setTimeout(() => setShown((now) => ({ ...now, was: null })), rollingTime);
    return () => clearTimeout(timer);
  }, [shown]);
  if (shown.was === null || shown.text !== text) return text;
  const { kept, figures } = difference(shown.was, text);
  return (
    <>
      {kept}
      {figures.map(({ now, before }, place) => (
        <span key={`${text}-${place}`} className={styles["figure"]} data-before={before}>
          <span className={styles["now"]}>{now}</span>
        </span>
      ))}
    </>
  );
}

/**
 * Returns the common prefix of two numbers and the digits after it with their previous values. If
 * the lengths differ, all digits roll.
 */
export function difference(was: string, text: string): { kept: string; figures: { now: string; before: string }[] } {
  const isSameLength = was.length === text.length;
  let same = 0;
  if (isSameLength) while (same < text.length && was[same] === text[same]) same += 1;
  const before = was.padStart(text.length).slice(-text.length);
  const figures = [...text.slice(same)].map((now, place) => ({ now, before: before[same + place] ?? "" }));
  return { kept: text.slice(0, same), figures };
}
