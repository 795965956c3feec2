import { Check, Trash2 } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import type { User } from "#contract/members.ts";
import { confirm } from "#web/forms/confirm.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { Spinner } from "#web/ui/spinner.tsx";
import { usePictures } from "../queries.ts";
import { describeCount, isFull } from "../rules.ts";
import styles from "./picture-list.module.css";

interface PictureListProps {
  readonly member: User;
  /** Id of the chosen picture; `null` for the default picture. */
  readonly chosen: string | null;
  /** Id of the picture whose deletion is in flight; `null` if none is. */
  readonly deleting: string | null;
  readonly isDisabled: boolean;
  readonly onChoose: (id: string | null) => void;
  /** Deletes a picture; resolves to `true` on success. */
  readonly onDelete: (id: string) => Promise<boolean>;
}

/**
 * Lists the member's own pictures and the default picture as radio buttons. Refetches the pictures
 * whenever the dialog opens.
 */
export function PictureList({ member, chosen, deleting, isDisabled, onChoose, onDelete }: PictureListProps): ReactNode {
  const pictures = usePictures();
  const { data } = pictures;
  const list = useRef<HTMLFieldSetElement>(null);
  const [deleted, setDeleted] = useState(0);
  const moveFocus = useFocusAfterDeletion(list);
  const remove = async (id: string, index: number): Promise<void> => {
    const isConfirmed = await confirm({
      title: `Profilbild ${index + 1} löschen?`,
      text: describeDeletion(id === member.profile_picture),
      action: "Löschen",
    });
    if (!isConfirmed) return;
    const isDeleted = await onDelete(id);
    if (isDeleted) setDeleted((count) => count + 1);
    moveFocus({ index, deleted: isDeleted ? id : null });
  };
  return (
    <Stack gap={2} aria-busy={pictures.isPending}>
      <fieldset ref={list} className={styles["list"]} disabled={isDisabled}>
        <legend className="visually-hidden">Deine Profilbilder</legend>
        <Option id={null} label="Standardbild" name={member.name} isChosen={chosen === null} onChoose={onChoose} />
        {data?.map(({ id }, index) => (
          <Option
            key={id}
            id={id}
            label={`Profilbild ${index + 1}`}
            name={member.name}
            isChosen={id === chosen}
            isDeleting={id === deleting}
            onChoose={onChoose}
            onDelete={() => void remove(id, index)}
          />
        ))}
        {pictures.isPending && <span className={styles["skeleton"]} aria-hidden="true" />}
        {/* Empty boxes keep the space of deleted pictures, which prevents a layout shift until
            the dialog is opened again. */}
        {Array.from({ length: deleted }, (_, index) => (
          <span key={index} className={styles["gap"]} aria-hidden="true" />
        ))}
      </fieldset>
      {(data !== undefined || pictures.isPending) && (
        <p className={styles["count"]} data-full={isFull(data?.length ?? 0) || undefined}>
          {data && describeCount(data.length)}
        </p>
      )}
      <QueryState query={pictures} failedText="Deine Bilder konnten gerade nicht geladen werden." skeleton={null}>
        {() => null}
      </QueryState>
    </Stack>
  );
}

function describeDeletion(isShown: boolean): string {
  const effect = isShown
    ? "Es ist dein gewähltes Profilbild: Danach sehen dich alle wieder mit deinen Anfangsbuchstaben."
    : "Was die anderen von dir sehen, ändert sich dadurch nicht.";
  return `${effect} Zurückholen lässt es sich nicht.`;
}

interface OptionProps {
  readonly id: string | null;
  readonly label: string;
  /** Name of the member whose profile pictures are listed. */
  readonly name: string;
  readonly isChosen: boolean;
  readonly isDeleting?: boolean;
  readonly onChoose: (id: string | null) => void;
  /** `undefined` for the default picture, which cannot be deleted. */
  readonly onDelete?: () => void;
}

function Option({ id, label, name, isChosen, isDeleting = false, onChoose, onDelete }: OptionProps): ReactNode {
  return (
    <div className={styles["option"]} data-deleting={isDeleting || undefined}>
      <label className={styles["picture"]}>
        <input
          type="radio"
          name="picture"
          className="covering-input"
          aria-label={label}
          checked={isChosen}
          onChange={() => onChoose(id)}
        />
        <Avatar id={id} name={name} size={80} />
        {isChosen && (
          <span className={styles["tick"]} aria-hidden="true">
            <Check size={18} strokeWidth={3} />
          </span>
        )}
      </label>
      {onDelete && (
        <button
          type="button"
          className={`touch-target ${styles["delete"]}`}
          value={id ?? ""}
          aria-label={`${label} löschen`}
          title={`${label} löschen`}
          aria-busy={isDeleting}
          onClick={onDelete}
        >
          <span className={styles["sign"]}>{isDeleting ? <Spinner size={16} /> : <Trash2 size={16} />}</span>
        </button>
      )}
    </div>
  );
}

interface Deletion {
  /** Position of the picture in the list before the deletion. */
  readonly index: number;
  /** Id of the deleted picture; `null` if the deletion failed. */
  readonly deleted: string | null;
}

/**
 * Returns a function that restores the focus after a deletion, because a disabled delete button
 * loses the focus. Focuses the next picture's delete button, or the default picture if no uploaded
 * picture is left.
 */
function useFocusAfterDeletion(list: { readonly current: HTMLFieldSetElement | null }): (deletion: Deletion) => void {
  const [last, setLast] = useState<Deletion | null>(null);
  useEffect(() => {
    if (last === null) return;
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])].filter(({ value }) => value !== last.deleted);
    const next = buttons[Math.min(last.index, buttons.length - 1)] ?? list.current?.querySelector("input");
    next?.focus();
  }, [last, list]);
  return setLast;
}
