import { Lock } from "lucide-react";
import { useMemo, useRef, useState, type CSSProperties, type ReactNode } from "react";

import type { Face } from "#contract/tablet.ts";
import { Portrait } from "#web/ui/avatar.tsx";
import { useTvPicture } from "./api.ts";
import styles from "./faces.module.css";
import { useIsIdle } from "./kiosk.ts";
import { arrangeFaces, beginsWith, faceSize, listLetters, type Place } from "./tablet-rules.ts";

interface FacesProps {
  readonly faces: readonly Face[];
  /** `true` while the order must not change. */
  readonly isSteady: boolean;
  readonly onTap: (face: Face, kind: "0,0" | null) => void;
}

const searchedFrom = 20;

export function Faces({ faces, isSteady, onTap }: FacesProps): ReactNode {
  const places = usePlaces(faces, isSteady);
  const [letter, setLetter] = useState<string | null>(null);
  const letters = useMemo(() => (faces.length >= searchedFrom ? listLetters(faces) : []), [faces]);
  const chosen = letter !== null && letters.includes(letter) ? letter : null;
  const isFound = (place: Place): boolean =>
    chosen === null || (typeof place !== "string" && beginsWith(place, chosen));
  const look: CSSProperties & Record<`--${string}`, string> = { "--face": `${faceSize(faces.length)}px` };
  function tap(face: Face, kind: "0,0" | null): void {
    setLetter(null);
    onTap(face, kind);
  }
  return (
    <section className={styles["room"]} aria-label="Wer trinkt?">
      {letters.length > 0 && (
        <div className={styles["letters"]} role="group" aria-label="Namen, die so beginnen">
          <button
            type="button"
            className={styles["letter"]}
            aria-pressed={chosen === null}
            onClick={() => setLetter(null)}
          >
            Alle
          </button>
          {letters.map((each) => (
            <button
              key={each}
              type="button"
              className={styles["letter"]}
              aria-pressed={each === chosen}
              onClick={() => setLetter(each)}
            >
              {each}
            </button>
          ))}
        </div>
      )}
      {faces.length === 0 ? (
        <p className={styles["empty"]}>Hier zeigt sich gerade niemand. Das ändert jeder für sich im Profil.</p>
      ) : (
        <ul className={styles["faces"]} style={look}>
          {places
            .filter(isFound)
            .map((place) =>
              typeof place === "string" ? (
                <li key={place} />
              ) : (
                <FaceItem key={place.id} face={place} size={faceSize(faces.length)} onTap={tap} />
              ),
            )}
        </ul>
      )}
    </section>
  );
}

const sortAfterMs = 20_000;

/** Takes over a new order only if the screen has not been touched for a while. */
function usePlaces(faces: readonly Face[], isSteady: boolean): readonly Place[] {
  const isIdle = useIsIdle(sortAfterMs, true) && !isSteady;
  const newest = faces.map(({ id }) => id).join(" ");
  const [order, setOrder] = useState(newest);
  if (isIdle && order !== newest) setOrder(newest);
  return arrangeFaces(order === "" ? [] : order.split(" "), faces);
}

/** A finger that bounces books one beer. */
const bounceMs = 500;

interface FaceItemProps {
  readonly face: Face;
  readonly size: number;
  readonly onTap: FacesProps["onTap"];
}

function FaceItem({ face, size, onTap }: FaceItemProps): ReactNode {
  const { name, avatarId, has_pin, id } = face;
  const picture = useTvPicture(avatarId);
  const tappedAt = useRef(-Infinity);
  const button = useRef<HTMLButtonElement>(null);
  function tap(kind: "0,0" | null): void {
    const at = performance.now();
    if (at - tappedAt.current < bounceMs) return;
    tappedAt.current = at;
    button.current?.animate({ scale: [1, 0.92, 1] }, 220);
    onTap(face, kind);
  }
  return (
    <li className={styles["face"]}>
      <button
        ref={button}
        type="button"
        className={styles["tap"]}
        aria-label={`Bier für ${name}${has_pin ? ", mit PIN" : ""}`}
        onClick={() => tap(null)}
      >
        <span className={styles["portrait"]}>
          <Portrait src={picture} name={name} size={size} />
          {has_pin && (
            <span className={styles["lock"]}>
              <Lock size={18} />
            </span>
          )}
        </span>
        <span className={styles["name"]}>{name}</span>
        {id.startsWith("guest") && <span className={styles["guest"]}>Gast</span>}
      </button>
      {!id.startsWith("guest") && (
        <button type="button" className={styles["free"]} aria-label={`0,0 für ${name}`} onClick={() => tap("0,0")}>
          0,0
        </button>
      )}
    </li>
  );
}
