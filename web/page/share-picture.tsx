import { Download, Share2 } from "lucide-react";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { Row } from "#web/ui/layout.tsx";
import reveal from "#web/ui/reveal.module.css";
import { StoryFrame } from "#web/ui/story-card.tsx";
import { showMessage } from "./messages.tsx";
import styles from "./share-picture.module.css";

interface Picture {
  readonly subject: string;
  readonly file: File;
  readonly url: string;
}

/** While a new picture is drawn, the old one stays visible but cannot be shared. */
interface DrawnPicture {
  readonly picture: Picture | null;
  readonly isDrawing: boolean;
}

/** Draws whenever `subject` changes. The picture leaves the browser only if the member shares it. */
export function usePicture(subject: string, fileName: string, draw: () => Promise<Blob>): DrawnPicture {
  const [picture, setPicture] = useState<Picture | null>(null);
  const drawIt = useEffectEvent(async () => {
    const png = await draw();
    return new File([png], fileName, { type: "image/png" });
  });
  useEffect(() => {
    let isWanted = true;
    drawIt().then(
      (file) => isWanted && setPicture({ subject, file, url: URL.createObjectURL(file) }),
      () => showMessage({ type: "error", text: "Das Bild konnte nicht gezeichnet werden." }),
    );
    return () => {
      isWanted = false;
    };
  }, [subject]);
  useEffect(() => () => URL.revokeObjectURL(picture?.url ?? ""), [picture]);
  return { picture, isDrawing: picture?.subject !== subject };
}

interface SharePictureCardProps<Choice extends string> {
  readonly drawn: DrawnPicture;
  readonly alt: string;
  readonly legend: string;
  /** Hidden if there is only one. */
  readonly options: readonly { readonly value: Choice; readonly label: string }[];
  readonly chosen: Choice;
  readonly onChoose: (choice: Choice) => void;
}

/** Downloads the picture without a share sheet. */
export function SharePictureCard<Choice extends string>(props: SharePictureCardProps<Choice>): ReactNode {
  const { drawn, alt, legend, options, chosen, onChoose } = props;
  const { picture, isDrawing } = drawn;
  const isShareable = picture !== null && canShare(picture.file);
  return (
    <StoryFrame
      title="Teilen"
      shape="tall"
      drawing={
        <div className={`${styles["frame"]} ${reveal["lay"]}`} aria-busy={isDrawing}>
          {picture && <img src={picture.url} alt={alt} width={1080} height={1920} draggable={false} />}
        </div>
      }
      actions={
        <Button kind="primary" disabled={isDrawing} onClick={() => picture && void sharePicture(picture)}>
          {isShareable ? <Share2 size={20} /> : <Download size={20} />}
          {isShareable ? "Bild teilen" : "Bild speichern"}
        </Button>
      }
    >
      {options.length > 1 && (
        <Row as="fieldset" gap={0} className={styles["choice"]} data-justify="center">
          <legend className="visually-hidden">{legend}</legend>
          {options.map(({ value, label }) => (
            <Row key={value} as="label" gap={2} data-wrap="never" className={styles["option"]}>
              <input type="radio" name="picture" checked={chosen === value} onChange={() => onChoose(value)} />
              {label}
            </Row>
          ))}
        </Row>
      )}
    </StoryFrame>
  );
}

function canShare(file: File): boolean {
  return "canShare" in navigator && navigator.canShare({ files: [file] });
}

async function sharePicture({ file, url }: Picture): Promise<void> {
  if (!canShare(file)) return saveFile(url, file.name);
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    // AbortError: the sheet was closed.
    if ((error as Error).name !== "AbortError") saveFile(url, file.name);
  }
}

export function saveFile(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
