import { useState, type ReactNode } from "react";

import { correctName, removePicture, takeBackBeers } from "#contract/corrections.ts";
import type { ManagedMember } from "#contract/member-management.ts";
import { ApiError } from "#web/data/api.ts";
import { ConfirmStep } from "#web/forms/confirm.tsx";
import { textsOf } from "#web/forms/use-form.ts";
import { change } from "#web/shared/admin/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Field } from "#web/ui/field.tsx";
import { formatTimeOfDay } from "#web/ui/german.ts";
import { Stack } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { useMemberBeers } from "../queries.ts";
import styles from "./correction-step.module.css";

interface CorrectionProps {
  readonly member: ManagedMember;
  readonly onClose: () => void;
}

/**
 * Lets an administrator correct a member's name, remove the picture, and delete beers that were
 * booked by mistake.
 */
export function CorrectionStep({ member, onClose }: CorrectionProps): ReactNode {
  const [step, setStep] = useState<"picture" | "beers" | null>(null);
  const { id, name, avatarId } = member;
  if (step === "picture") {
    return (
      <ConfirmStep action="Entfernen" onConfirm={() => change(removePicture, { params: { id } })} onClose={onClose}>
        <p>
          Das Profilbild von {name} wird gelöscht, und überall steht das Standardbild. {name} kann ein anderes wählen.
        </p>
      </ConfirmStep>
    );
  }
  if (step === "beers") return <BeersStep member={member} onClose={onClose} />;
  return (
    <ConfirmStep
      endpoint={correctName}
      action="Speichern"
      kind="primary"
      onConfirm={(values) => change(correctName, { params: { id }, body: textsOf(values, "name") })}
      onClose={onClose}
    >
      <Field label="Name" name="name" defaultValue={name} hint="So sehen ihn alle." autoComplete="off" required />
      <Stack gap={3}>
        {avatarId !== null && (
          <Button isWide onClick={() => setStep("picture")}>
            Profilbild entfernen …
          </Button>
        )}
        <Button isWide onClick={() => setStep("beers")}>
          Biere zurücknehmen …
        </Button>
      </Stack>
    </ConfirmStep>
  );
}

function BeersStep({ member: { id, name }, onClose }: CorrectionProps): ReactNode {
  const beers = useMemberBeers(id);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  async function send(): Promise<string> {
    if (chosen.length === 0) throw new ApiError(422, "Wähle die Biere aus, die niemand getrunken hat.");
    return change(takeBackBeers, { params: { id }, body: { ids: [...chosen] } });
  }
  return (
    <ConfirmStep endpoint={takeBackBeers} action="Entfernen" onConfirm={send} onClose={onClose}>
      <p>
        Welche Biere hat {name} nicht getrunken? Sie verschwinden aus allen Zählern, und im Protokoll steht, wie viele.
      </p>
      <QueryState
        query={beers}
        failedText="Die Biere konnten nicht geladen werden."
        skeleton={<Skeleton size="large" />}
        emptyText="In den letzten sieben Tagen war da keines."
      >
        {(all) => (
          <div className={styles["beers"]}>
            <Checkbox
              label="Alle"
              name="all"
              checked={chosen.length === all.length}
              onChange={({ currentTarget: { checked } }) => setChosen(checked ? all.map((beer) => beer.id) : [])}
            />
            {all.map((beer) => (
              <Checkbox
                key={beer.id}
                label={formatTimeOfDay(beer.at, undefined, "day")}
                name={`beer-${beer.id}`}
                checked={chosen.includes(beer.id)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen(checked ? [...chosen, beer.id] : chosen.filter((other) => other !== beer.id))
                }
              />
            ))}
          </div>
        )}
      </QueryState>
    </ConfirmStep>
  );
}
