import { lazy, Suspense, type ReactNode } from "react";

import { loadWithRetries } from "#web/page/newer-version.ts";
import type { CropStageProps } from "#web/ui/crop-stage.tsx";
import { Skeleton } from "#web/ui/query-state.tsx";

const CropStage = lazy(async () => {
  const { CropStage: component } = await loadWithRetries(() => import("#web/ui/crop-stage.tsx"));
  return { default: component };
});

/** The crop stage, whose code is loaded when the first picture is picked. */
export function PictureCropper(props: CropStageProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <CropStage key={props.picture.url} {...props} />
    </Suspense>
  );
}
