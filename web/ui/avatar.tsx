import { useEffect, useState, type CSSProperties, type ReactNode } from "react";

import styles from "./avatar.module.css";

/** Colors with a contrast of at least 4.5:1 to the cream-colored initials. */
const backgrounds = [
  "#8a3b12",
  "#9a2b1f",
  "#6b4a12",
  "#4f5a1c",
  "#7a3650",
  "#2f5d50",
  "#5a4632",
  "#8c4a00",
  "#3f4f6b",
  "#6e2f2f",
];

/** Shows initials without a picture. Hidden from screen readers, because the name is always beside it. `size` in px. */
export function Avatar({ id, name, size }: { id: string | null; name: string; size: number }): ReactNode {
  return (
    <Portrait src={id === null ? null : `/internal/images/avatar/${encodeURIComponent(id)}`} name={name} size={size} />
  );
}

/** Initials if `src` is `null`. */
export function Portrait({ src, name, size }: { src: string | null; name: string; size: number }): ReactNode {
  const [failed, setFailed] = useState<string | null>(null);
  const hasPicture = src !== null && src !== failed;
  useEffect(() => {
    if (failed === null) return;
    const retry = (): void => setFailed(null);
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [failed]);
  return (
    <span className={styles["avatar"]} style={{ width: size, height: size }} aria-hidden="true">
      {hasPicture ? (
        <img
          className={styles["picture"]}
          src={src}
          alt=""
          width={size}
          height={size}
          decoding="async"
          draggable={false}
          onError={() => setFailed(src)}
        />
      ) : (
        <InitialsMat name={name} size={size} />
      )}
    </span>
  );
}

function InitialsMat({ name, size }: { name: string; size: number }): ReactNode {
  const letters = initialsOf(name);
  const look: CSSProperties = { fontSize: size * (letters.length > 2 ? 0.3 : 0.38) };
  return (
    <>
      <svg className={styles["picture"]} viewBox="0 0 64 64">
        <circle cx="32" cy="32" r="32" fill={backgroundOf(name)} />
        <circle cx="32" cy="32" r="28" fill="none" stroke="#fff7e3" strokeOpacity="0.75" strokeWidth="1.5" />
        <circle cx="32" cy="32" r="25.5" fill="none" stroke="#fff7e3" strokeOpacity="0.4" strokeWidth="1" />
      </svg>
      {/* Drawn by CSS, and so no part of the text around. */}
      <span className={styles["initials"]} style={look} data-letters={letters} />
    </>
  );
}

/** Returns letters of the first and last word, or the first character of a name without letters. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/u).map(splitCharacters);
  const first = words
    .map((word) => word.find((letter) => /[\p{L}\p{N}]/u.test(letter)))
    .filter((letter) => letter !== undefined);
  const [head = words.flat()[0] ?? "?"] = first;
  const tail = first.length > 1 ? first.at(-1) : "";
  return `${head}${tail}`.toLocaleUpperCase("de");
}

/** Always the same for the same name. */
export function backgroundOf(name: string): string {
  let hash = 0;
  for (const letter of name) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return backgrounds[hash % backgrounds.length] ?? "#8a3b12";
}

const segmenter = new Intl.Segmenter("de");

/** Counts as people do: an emoji of several code points is one character. */
export function splitCharacters(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
