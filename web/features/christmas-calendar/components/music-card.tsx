import { Music, Pause, Play, RotateCcw } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";

import type { ManagedCalendar } from "#contract/calendar-doors.ts";
import { getCalendarAudio, maxCalendarAudioBytes } from "#contract/calendar-music.ts";
import { useAction } from "#web/forms/use-action.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { Button } from "#web/ui/button.tsx";
import { FileButton } from "#web/ui/file-button.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { changeMusic } from "../admin-queries.ts";

/** Plays the music of the calendar page, and lets administrators replace it. */
export function MusicCard({ audio }: { audio: ManagedCalendar["audio"] }): ReactNode {
  const heading = useId();
  const change = useAction(changeMusic);
  const pick = (file: File): void => {
    if (file.size > maxCalendarAudioBytes) showFlash({ type: "error", text: "Das Stück ist größer als 20 MB." });
    else void change.run(file);
  };
  return (
    <Stack as="section" gap={3} aria-labelledby={heading}>
      <h2 id={heading}>Musik</h2>
      <Hint>
        {audio === null
          ? "Es spielen unsere eigenen Weihnachtslieder."
          : `Es spielt eure Musik (${formatNumber(Math.round((audio.size / 1024 / 1024) * 10) / 10)} MB).`}
      </Hint>
      <Row>
        <Preview key={audio === null ? "carols" : `${audio.media} ${audio.size}`} />
        <FileButton
          what="Musik für den Kalender"
          accept=".mp3,.m4a,.ogg,audio/mpeg,audio/mp4,audio/ogg"
          isBusy={change.isPending && change.pending?.[0] !== null}
          disabled={change.isPending}
          onPick={([file]) => pick(file!)}
        >
          <Music size={20} />
          Musik wählen
        </FileButton>
        {audio !== null && (
          <Button
            isBusy={change.pending?.[0] === null}
            disabled={change.isPending}
            onClick={() => void change.run(null)}
          >
            <RotateCcw size={20} />
            Eigene Lieder wieder spielen
          </Button>
        )}
      </Row>
    </Stack>
  );
}

function Preview(): ReactNode {
  const player = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const toggle = (): void => void (isPlaying ? player.current?.pause() : player.current?.play());
  return (
    <Button aria-pressed={isPlaying} onClick={toggle}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- music without words */}
      <audio
        ref={player}
        src={getCalendarAudio.path}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
      />
      {isPlaying ? <Pause size={20} /> : <Play size={20} />}
      Anhören
    </Button>
  );
}
