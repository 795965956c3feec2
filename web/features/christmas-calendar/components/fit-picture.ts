import { fillOwnDoor } from "#contract/christmas-calendar.ts";
import { createCanvas } from "#web/ui/canvas.ts";

/** Twice as wide as what the server keeps. */
const longestSide = 2560;

/** The file, or where it is larger than the server takes, a smaller JPEG of it. What the browser cannot read stays as it is. */
export async function fitPicture(file: File): Promise<Blob> {
  if (file.size <= fillOwnDoor.file.maxBytes) return file;
  const image = await createImageBitmap(file).catch(() => null);
  if (image === null) return file;
  const scale = Math.min(1, longestSide / Math.max(image.width, image.height));
  const canvas = createCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
  return jpeg ?? file;
}
