import { useMutation } from "@tanstack/react-query";
import { Eye, ImagePlus, Trash2, Undo2, UserMinus } from "lucide-react";
import { useRef, type ReactNode } from "react";

import {
  deleteCalendarPicture,
  moveCalendarPicture,
  restoreCalendarPicture,
  revealCalendarPicture,
  takeCalendarDoorBack,
} from "#contract/calendar-doors.ts";
import { dayNumber } from "#contract/christmas-calendar.ts";
import { adminKey } from "#web/admin/api.ts";
import { call } from "#web/client/api.ts";
import { confirm } from "#web/page/confirm.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useReload } from "#web/page/queries.ts";
import { useMember } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { FileButton, Select } from "#web/ui/field.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Hint } from "#web/ui/text.tsx";
import { describeMove, isOthers, type CalendarDay } from "./admin-rules.ts";
import { useDoorChange } from "./api.ts";
import styles from "./door-form.module.css";

interface DoorFormProps {
  readonly days: readonly CalendarDay[];
  readonly date: string;
  readonly accept: string;
  readonly onPick: (day: CalendarDay, file: File) => Promise<void>;
  readonly onClose: () => void;
}

export function DoorForm({ days, date, accept, onPick, onClose }: DoorFormProps): ReactNode {
  const userId = useMember()?.id ?? 0;
  const day = days.find((one) => one.date === date)!;
  const { owner, is_filled: isFilled, version, can_restore: canRestore } = day;
  const isTold = isOthers(day, userId);
  const params = { date };
  const change = useDoorChange(adminKey);
  const move = useMutation({
    async mutationFn(to: CalendarDay) {
      const text = describeMove(day, to, userId);
      if (text !== null && !(await confirm({ title: "Türchen tauschen?", text, action: "Tauschen" }))) return;
      return change(call(moveCalendarPicture, { params, body: { to: to.date, version, to_version: to.version } }));
    },
    onSuccess: onClose,
  });
  const restore = useMutation({ mutationFn: () => change(call(restoreCalendarPicture, { params })) });
  const remove = useMutation({
    async mutationFn() {
      const text = await change(call(deleteCalendarPicture, { params, query: { version } }));
      onClose();
      showMessage({ type: "success", text, action: { label: "Rückgängig", run: restore.mutate } });
    },
  });
  const takeBack = useMutation({
    mutationFn: () => change(call(takeCalendarDoorBack, { params, query: { version } })),
    onSuccess: onClose,
  });
  const isBusy = move.isPending || remove.isPending || takeBack.isPending || restore.isPending;
  /** May change between the file picker's opening and its result. */
  const clicked = useRef(day);
  const pressRemove = async (): Promise<void> => {
    if (!isTold || (await confirmRemoval(day))) remove.mutate();
  };
  const pressTakeBack = async (): Promise<void> => {
    if (!isTold || (await confirmTakingBack(day))) takeBack.mutate();
  };
  const others = days.filter((one) => one !== day);
  return (
    <Stack>
      <Picture day={day} />
      {isTold && (
        <Hint data-align="center">
          Hängst du hier selbst ein Bild auf, gehört das Türchen keinem Mitglied mehr; {owner!.name} erfährt davon.
        </Hint>
      )}
      <FileButton
        kind={isTold ? "plain" : "primary"}
        what="Bild für dieses Türchen"
        accept={accept}
        isWide
        disabled={isBusy}
        canPick={() => {
          clicked.current = day;
          return true;
        }}
        onPick={([file]) => {
          onClose();
          void onPick(clicked.current, file!);
        }}
      >
        <ImagePlus size={20} />
        {isTold ? "Türchen übernehmen" : isFilled ? "Anderes Bild wählen" : "Bild wählen"}
      </FileButton>
      {canRestore && (
        <Button isWide isBusy={restore.isPending} disabled={isBusy} onClick={() => restore.mutate()}>
          <Undo2 size={20} />
          Abgenommenes Bild wieder aufhängen
        </Button>
      )}
      {owner && (
        <Button isWide isBusy={takeBack.isPending} disabled={isBusy} onClick={() => void pressTakeBack()}>
          <UserMinus size={20} />
          Türchen wieder freigeben
        </Button>
      )}
      {isFilled && (
        <>
          <form
            className={styles["move"]}
            onSubmit={(event) => {
              event.preventDefault();
              const to = new FormData(event.currentTarget).get("to");
              move.mutate(days.find((one) => one.date === to)!);
            }}
          >
            <Select
              label="Tauschen mit"
              name="to"
              options={others.map((one) => ({
                value: one.date,
                label: `Türchen ${dayNumber(one.date)}${one.is_filled ? "" : " (leer)"}`,
              }))}
            />
            <Button type="submit" isBusy={move.isPending} disabled={isBusy}>
              Tauschen
            </Button>
          </form>
          <Button kind="danger" isWide isBusy={remove.isPending} disabled={isBusy} onClick={() => void pressRemove()}>
            <Trash2 size={20} />
            Bild abnehmen
          </Button>
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Fertig</Button>
      </DialogActions>
    </Stack>
  );
}

function Picture({ day }: { day: CalendarDay }): ReactNode {
  const { date, version, is_filled: isFilled, preview, text, opened, owner } = day;
  const reloadAdmin = useReload(adminKey);
  const reveal = useMutation({
    mutationFn: () => call(revealCalendarPicture, { params: { date }, body: { version } }),
    onSettled: reloadAdmin,
  });
  if (!isFilled) return <p>{owner ? `${owner.name} hat hier noch nichts aufgehängt.` : "Hier hängt noch nichts."}</p>;
  if (preview !== null)
    return (
      <>
        <img className={styles["picture"]} src={preview} alt="Vorschau" />
        {text !== null && <p className={styles["text"]}>{text}</p>}
        <Hint data-align="center">
          {owner && `Das Bild ist von ${owner.name}. `}
          {opened === 0
            ? "Noch hat es niemand geöffnet. Diese Vorschau öffnet es auch nicht."
            : `Schon ${opened}-mal geöffnet.`}
        </Hint>
      </>
    );
  const name = owner?.name ?? "";
  const press = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: `Türchen ${dayNumber(date)} vorher ansehen?`,
      text: `Es ist dann keine Überraschung mehr. ${name} erfährt, dass du es dir angesehen hast, und es steht im Protokoll.`,
      action: "Ansehen",
    });
    if (isConfirmed) reveal.mutate();
  };
  return (
    <>
      <div className={styles["wrapped"]}>
        <WrappedPicture day={dayNumber(date)} />
      </div>
      <Hint data-align="center">
        {name} hat ein Bild aufgehängt. Du siehst es am {dayNumber(date)}.&nbsp;Dezember, wie alle anderen.
      </Hint>
      <Button isWide isBusy={reveal.isPending} onClick={() => void press()}>
        <Eye size={20} />
        Trotzdem ansehen
      </Button>
    </>
  );
}

function confirmRemoval({ date, owner }: CalendarDay): Promise<boolean> {
  return confirm({
    title: `Bild von ${owner!.name} abnehmen?`,
    text: `Hinter Türchen ${dayNumber(date)} hängt dann nichts mehr, und ${owner!.name} erfährt davon. Einen Tag lang lässt es sich wieder aufhängen.`,
    action: "Abnehmen",
  });
}

function confirmTakingBack({ date, owner, is_filled: isFilled }: CalendarDay): Promise<boolean> {
  const picture = isFilled ? " Das Bild bleibt hängen, ohne Namen, und ist dann für die Verwaltung zu sehen." : "";
  return confirm({
    title: `Türchen ${dayNumber(date)} freigeben?`,
    text: `Es gehört dann nicht mehr ${owner!.name}, und ${owner!.name} erfährt davon.${picture}`,
    action: "Freigeben",
  });
}

const papers = [
  ["#a5382c", "#7f2920"],
  ["#2c6b46", "#1f4f33"],
  ["#2f5f8f", "#23486d"],
  ["#8a4b7a", "#66365a"],
] as const;

/** Hides a surprise, in one of four colors. */
export function WrappedPicture({ day }: { day: number }): ReactNode {
  const [paper, shade] = papers[day % papers.length]!;
  return (
    <svg className={styles["present"]} viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect width="100" height="100" fill={paper} />
      {stars.map((place) => (
        <path key={place} transform={`translate(${place})`} d={star} fill="#fff" fillOpacity=".22" />
      ))}
      <path d="M0 0H100V9Q50 15 0 9ZM0 100H100V91Q50 85 0 91Z" fill={shade} fillOpacity=".55" />
      <path d="M43 0H57V100H43ZM0 43H100V57H0Z" fill="#f5b11d" />
      <path d="M43 0H45.5V100H43ZM54.5 0H57V100H54.5ZM0 43H100V45.5H0ZM0 54.5H100V57H0Z" fill="#c98600" />
      <g stroke="#8a5a06" strokeWidth="1.2" strokeLinejoin="round">
        <path d="M50 51 36 78 41 77 44 82 53 53ZM50 51 64 78 59 77 56 82 47 53Z" fill="#e09f10" />
        <path d="M50 50C40 30 22 24 17 33S30 56 50 50ZM50 50C60 30 78 24 83 33S70 56 50 50Z" fill="#ffcb4f" />
        <path d="M50 50C43 40 30 35 26 39S36 51 50 50ZM50 50C57 40 70 35 74 39S64 51 50 50Z" fill="#d98e00" />
        <rect x="44" y="43.5" width="12" height="12" rx="4" fill="#ffcb4f" />
      </g>
    </svg>
  );
}

const star = "M0-4 1.1-1.2 4 0 1.1 1.2 0 4-1.1 1.2-4 0-1.1-1.2Z";

const stars = ["14 20", "31 12", "72 14", "88 25", "12 70", "28 88", "70 70", "86 84", "24 68", "90 66"];
