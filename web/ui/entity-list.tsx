import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import styles from "./entity-list.module.css";

type PagedQuery = Pick<
  UseInfiniteQueryResult,
  "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError" | "fetchNextPage"
>;

interface EntityListProps<Entity> {
  readonly query: ComponentProps<typeof QueryState<Entity[]>>["query"] & Partial<PagedQuery>;
  /** Names the entities with their German article: "Die Mitglieder". */
  readonly what: string;
  readonly emptyText: ReactNode;
  /** Number of skeleton lines while the list is loading. */
  readonly lines?: number;
  /** Content above and below the list on its card. */
  readonly above?: ReactNode;
  readonly below?: ReactNode;
  readonly children: (entities: readonly Entity[]) => ReactNode;
}

/** A card with a list of entities; if the query has more pages, a button loads older entities. */
export function EntityList<Entity>(props: EntityListProps<Entity>): ReactNode {
  const { query, what, emptyText, lines = 4, above, below, children } = props;
  const failedText = `${what} konnten gerade nicht geladen werden.`;
  return (
    <Card>
      {above}
      <QueryState query={query} failedText={failedText} skeleton={<Skeleton lines={lines} />} emptyText={emptyText}>
        {children}
      </QueryState>
      {below}
      {query.isFetchNextPageError && <Notice tone="error">{failedText}</Notice>}
      {query.hasNextPage && (
        <Button isWide isBusy={query.isFetchingNextPage === true} onClick={() => void query.fetchNextPage?.()}>
          Ältere zeigen
        </Button>
      )}
    </Card>
  );
}

interface EntityItemProps {
  /** Buttons at the end of the line. */
  readonly actions?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** One entity of a list, with buttons for its actions. */
export function EntityItem({ actions, className = "", children }: EntityItemProps): ReactNode {
  return (
    <Row as="li" className={className}>
      <Stack gap={1} className={styles["text"]}>
        {children}
      </Stack>
      {actions}
    </Row>
  );
}

interface ExpandableItemProps {
  readonly picture: ReactNode;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

/** A list item that is a button and opens a dialog about its entity. */
export function ExpandableItem({ picture, onOpen, children }: ExpandableItemProps): ReactNode {
  return (
    <li>
      <ListItem
        as="button"
        type="button"
        aria-haspopup="dialog"
        picture={picture}
        end={<ChevronRight size={22} />}
        onClick={onOpen}
      >
        {children}
      </ListItem>
    </li>
  );
}

export function Badges({ children }: { children: ReactNode }): ReactNode {
  return (
    <Row as="span" gap={1}>
      {children}
    </Row>
  );
}

/** A short label for a property of an entity. */
export function Badge({ kind, children }: { kind?: "good" | "bad" | undefined; children: ReactNode }): ReactNode {
  return (
    <span className={styles["badge"]} data-kind={kind}>
      {children}
    </span>
  );
}
