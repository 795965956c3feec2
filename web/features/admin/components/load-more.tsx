import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";

import styles from "./list.module.css";

/** The way to the older lines of a long list. */
export function LoadMore({
  list,
}: {
  list: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
}): ReactNode {
  if (!list.hasNextPage) return null;
  return (
    <div className={styles["more"]}>
      <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Ältere zeigen
      </Button>
    </div>
  );
}
