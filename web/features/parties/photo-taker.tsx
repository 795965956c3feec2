import { Camera, ChevronRight } from "lucide-react";
import { Suspense, useEffect, useRef, type ReactNode } from "react";

import { createStore } from "#web/client/store.ts";
import { lazyPart } from "#web/page/newer-version.ts";
import { useStore } from "#web/page/session.ts";
import { useParty } from "./api.ts";
import styles from "./photo-taker.module.css";

export const photoCall = "Jetzt ein Foto vom Tisch, zwei Minuten.";

const PhotoDialog = lazyPart(async () => (await import("./photo-dialog.tsx")).PhotoDialog);

interface Taking {
  readonly party: number;
  /** `null` while the camera is open. */
  readonly file: File | null;
}

const taking = createStore<Taking | null>(null);
type Source = "camera" | "files";
let open: (source: Source) => void = () => {};

/** Opens the camera of a phone, or the file picker. Call this on a click. */
export function takePhoto(party: number, source: Source): void {
  taking.set({ party, file: null });
  open(source);
}

function end(): void {
  taking.set(null);
}

/** Below the tap button, for some minutes after the call. */
export function PhotoCall({ id }: { id: number }): ReactNode {
  const { data } = useParty(id);
  if (!data?.is_photo_time || data.photos.some(({ is_own }) => is_own)) return null;
  return (
    <button type="button" className={styles["call"]} onClick={() => takePhoto(id, "camera")}>
      <Camera size={24} />
      <span>
        <strong>Jetzt ein Foto vom Tisch</strong> Zwei Minuten, und nur ihr seht es.
      </span>
      <ChevronRight size={20} />
    </button>
  );
}

/** Runs beside every page. */
export function PhotoTaker(): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const now = useStore(taking);
  useEffect(() => {
    open = (source) => {
      if (source === "camera") input.current?.setAttribute("capture", "environment");
      else input.current?.removeAttribute("capture");
      input.current?.click();
    };
    return end;
  }, []);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Foto vom Tisch"
        accept="image/*"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (now && file) taking.set({ ...now, file });
          // The same file can be picked again.
          target.value = "";
        }}
      />
      {now?.file && (
        <Suspense>
          <PhotoDialog party={now.party} file={now.file} onClose={end} />
        </Suspense>
      )}
    </>
  );
}
