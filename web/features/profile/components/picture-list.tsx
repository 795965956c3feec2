import type { UseQueryResult } from "@tanstack/react-query";
import { Check } from "lucide-react";
import type { ReactNode } from "react";

import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";

import styles from "./picture-list.module.css";

interface PictureListProps {
  readonly pictures: UseQueryResult<{ id: string }[]>;
  readonly name: string;
  readonly chosen: string | null;
  readonly isDisabled: boolean;
  readonly onChoose: (id: string | null) => void;
}

/** One's own pictures and the default one, of which one is chosen. */
export function PictureList({ pictures, name, chosen, isDisabled, onChoose }: PictureListProps): ReactNode {
  const { data } = pictures;
  const options = [null, ...(data ?? []).map(({ id }) => id)];
  return (
    <div className={styles["choice"]} aria-busy={pictures.isPending}>
      <fieldset className={styles["list"]} disabled={isDisabled}>
        <legend className="visually-hidden">Deine Profilbilder</legend>
        {options.map((id, index) => (
          <label key={id} className={styles["option"]}>
            <input
              type="radio"
              name="picture"
              className={styles["radio"]}
              aria-label={id === null ? "Standardbild" : `Profilbild ${index}`}
              checked={id === chosen}
              onChange={() => onChoose(id)}
            />
            <Avatar id={id} name={name} size={80} />
            {id === chosen && (
              <span className={styles["tick"]} aria-hidden="true">
                <Check size={18} strokeWidth={3} />
              </span>
            )}
          </label>
        ))}
        {pictures.isPending && <span className={styles["skeleton"]} aria-hidden="true" />}
      </fieldset>
      {data?.length === 0 && <p className={styles["empty"]}>Noch keine Profilbilder hochgeladen.</p>}
      {pictures.isError && data === undefined && (
        <div className={styles["failed"]}>
          <p>Deine Bilder konnten nicht geladen werden.</p>
          <Button onClick={() => void pictures.refetch()}>Nochmal versuchen</Button>
        </div>
      )}
    </div>
  );
}
