import { useMutation } from "@tanstack/react-query";
import { Music, Pause, Play, RotateCcw } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";

import type { ManagedCalendar } from "#contract/calendar-doors.ts";
import {
  deleteCalendarAudio,
  getCalendarAudio,
  maxCalendarAudioBytes,
  setCalendarAudio,
} from "#contract/calendar-music.ts";
import { useAdminCall } from "#web/admin/api.ts";
import { showMessage } from "#web/page/messages.tsx";
import { Button } from "#web/ui/button.tsx";
import { FileButton } from "#web/ui/field.tsx";
import { formatMegabytes } from "#web/ui/german.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { Hint } from "#web/ui/text.tsx";

export function MusicCard({ audio }: { audio: ManagedCalendar["audio"] }): ReactNode {
  const heading = useId();
  const call = useAdminCall();
  const replace = useMutation({
    async mutationFn(file: File) {
      const body = new FormData();
      body.set("audio", file, file.name);
      return (await call(setCalendarAudio, { body })).message;
    },
  });
  const reset = useMutation({ mutationFn: async () => (await call(deleteCalendarAudio, {})).message });
  const isBusy = replace.isPending || reset.isPending;
  const pick = (file: File): void => {
    if (file.size > maxCalendarAudioBytes) showMessage({ type: "error", text: "Das Stück ist größer als 20 MB." });
    else replace.mutate(file);
  };
  return (
    <Stack as="section" gap={3} aria-labelledby={heading}>
      <h2 id={heading}>Musik</h2>
      <Hint>
        {audio === null
          ? "Es spielen unsere eigenen Weihnachtslieder."
          : `Es spielt eure Musik (${formatMegabytes(audio.size)}).`}
      </Hint>
      <Row>
        <MusicPreview key={audio === null ? "carols" : `${audio.media} ${audio.size}`} />
        <FileButton
          what="Musik für den Kalender"
          accept=".mp3,.m4a,.ogg,audio/mpeg,audio/mp4,audio/ogg"
          isBusy={replace.isPending}
          disabled={isBusy}
          onPick={([file]) => pick(file!)}
        >
          <Music size={20} />
          Musik wählen
        </FileButton>
        {audio !== null && (
          <Button isBusy={reset.isPending} disabled={isBusy} onClick={() => reset.mutate()}>
            <RotateCcw size={20} />
            Eigene Lieder wieder spielen
          </Button>
        )}
      </Row>
    </Stack>
  );
}

function MusicPreview(): ReactNode {
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
