import { Download, Share2 } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { showFlash } from "#web/platform/flash.tsx";
import { useGroup, useSession } from "#web/platform/session.ts";
import { Button } from "#web/ui/button.tsx";
import { formatBeers } from "#web/ui/german.ts";
import { Row } from "#web/ui/layout.tsx";
import { pictureLines } from "../rules.ts";
import { CardFrame } from "./card-frame.tsx";
import { drawPicture, type PictureWords } from "./picture-canvas.ts";
import styles from "./picture-card.module.css";
import reveal from "./reveal.module.css";

type PictureCardProps = Pick<PictureWords, "own" | "year" | "isFinal">;

/** One's own year as a picture to share. It is drawn in the browser and leaves it only when the member shares it. */
export function PictureCard({ own, year, isFinal }: PictureCardProps): ReactNode {
  const [hasName, setHasName] = useState(false);
  const { picture, isDrawing } = usePicture({ own, year, isFinal, hasName });
  const lines = pictureLines(own);
  return (
    <CardFrame
      title="Teilen"
      shape="tall"
      drawing={
        <div className={`${styles["frame"]} ${reveal["lay"]}`} aria-busy={isDrawing}>
          {picture && (
            <img
              src={picture.url}
              alt={`Dein Bild zum Teilen: ${year} ${formatBeers(own.total)}, ${lines.join(", ")}.`}
              width={1080}
              height={1920}
              draggable={false}
            />
          )}
        </div>
      }
      actions={
        <Button kind="primary" disabled={isDrawing} onClick={() => picture && void sharePicture(picture)}>
          {picture && canShare(picture.file) ? <Share2 size={20} /> : <Download size={20} />}
          {picture && canShare(picture.file) ? "Bild teilen" : "Bild speichern"}
        </Button>
      }
    >
      <Row as="fieldset" gap={0} className={styles["choice"]} data-justify="center">
        <legend className="visually-hidden">Dein Name auf dem Bild</legend>
        <Row as="label" gap={2} data-wrap="never" className={styles["name"]}>
          <input type="radio" name="name" checked={hasName} onChange={() => setHasName(true)} />
          mit meinem Namen
        </Row>
        <Row as="label" gap={2} data-wrap="never" className={styles["name"]}>
          <input type="radio" name="name" checked={!hasName} onChange={() => setHasName(false)} />
          ohne
        </Row>
      </Row>
    </CardFrame>
  );
}

interface Picture {
  /** Whose name stands on it. */
  readonly name: string | null;
  readonly file: File;
  readonly url: string;
}

/** The picture, and whether a new one is being drawn: until then the last one stays, but cannot be shared. */
function usePicture({ own, year, isFinal, hasName }: PictureCardProps & { hasName: boolean }) {
  const { group_name: group } = useGroup();
  const { user } = useSession();
  const name = hasName ? (user?.name ?? null) : null;
  const [picture, setPicture] = useState<Picture | null>(null);
  useEffect(() => {
    let isWanted = true;
    drawPicture({ own, year, isFinal, group, name }).then(
      (png) => {
        const file = new File([png], `jahresrueckblick-${year}.png`, { type: "image/png" });
        if (isWanted) setPicture({ name, file, url: URL.createObjectURL(png) });
      },
      () => showFlash({ type: "error", text: "Das Bild konnte nicht gezeichnet werden." }),
    );
    return () => {
      isWanted = false;
    };
  }, [own, year, isFinal, group, name]);
  useEffect(() => () => URL.revokeObjectURL(picture?.url ?? ""), [picture]);
  return { picture, isDrawing: picture === null || picture.name !== name };
}

function canShare(file: File): boolean {
  return "canShare" in navigator && navigator.canShare({ files: [file] });
}

/** Opens the share sheet of the device, or downloads the picture where there is none. */
async function sharePicture({ file, url }: Picture): Promise<void> {
  if (!canShare(file)) return download(url, file.name);
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    // An AbortError means that the member closed the sheet; after any other error the picture is downloaded instead.
    if ((error as Error).name !== "AbortError") download(url, file.name);
  }
}

function download(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
