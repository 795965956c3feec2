import { useState, type ReactNode } from "react";

import { makeTvLink as makeTvLinkEndpoint } from "#contract/admin-tv.ts";
import { textOf, useForm } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";

import { createTvLink } from "../queries.ts";
import styles from "./list.module.css";
import { ShareLink } from "./share-link.tsx";

interface TvLinkDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes a television's link and shows it, once. */
export function TvLinkDialog({ isOpen, onClose }: TvLinkDialogProps): ReactNode {
  return (
    <Dialog title="Neuer Fernseher" isOpen={isOpen} onClose={onClose}>
      <TvLinkForm onClose={onClose} />
    </Dialog>
  );
}

function TvLinkForm({ onClose }: { onClose: () => void }): ReactNode {
  const [url, setUrl] = useState<string | null>(null);
  const { errors, isPending, onSubmit } = useForm(makeTvLinkEndpoint, async (values) => {
    setUrl((await createTvLink(textOf(values, "name"))).url);
  });
  if (url !== null) {
    return (
      <ShareLink url={url} title="Fernseher" onClose={onClose}>
        <p>
          Öffne den Link auf dem Bildschirm; ein Klick darauf macht das Bild groß. Wer ihn hat, sieht Namen, Bilder und
          Biere, aber sonst nichts. Er wird nur jetzt gezeigt.
        </p>
      </ShareLink>
    );
  }
  return (
    <form className={styles["form"]} onSubmit={onSubmit} noValidate>
      <fieldset disabled={isPending}>
        <Field
          label="Wo steht er?"
          name="name"
          placeholder="Theke"
          maxLength={32}
          autoComplete="off"
          errors={errors["name"]}
          required
        />
      </fieldset>
      <div className={styles["ends"]}>
        <Button disabled={isPending} onClick={onClose}>
          Abbrechen
        </Button>
        <Button type="submit" kind="primary" isBusy={isPending}>
          Link machen
        </Button>
      </div>
    </form>
  );
}
