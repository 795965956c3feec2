import { type UseInfiniteQueryResult } from "@tanstack/react-query";
import { Monitor, Smartphone, type LucideIcon, ChevronRight } from "lucide-react";
import { type ReactNode, type ComponentPropsWithRef, type ElementType, type ComponentProps } from "react";

import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { IconDisc } from "#web/ui/icons.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint, Notice } from "#web/ui/text.tsx";
import styles from "./list.module.css";

export function List({ label, children }: { label?: string; children: ReactNode }): ReactNode {
  return (
    <ul className={styles["list"]} aria-label={label}>
      {children}
    </ul>
  );
}

type ListItemProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  readonly as?: Tag;
  readonly picture: ReactNode;
  /** Wraps to the next line if there is no room. */
  readonly end?: ReactNode;
};

/** Reacts on the whole line as a link or button. `data-align="start"` aligns all parts at the top. */
export function ListItem<Tag extends ElementType = "div">(props: ListItemProps<Tag>): ReactNode {
  const { as, picture, end, children, className = "", ...rest } = props;
  const Element: ElementType = as ?? "div";
  return (
    <Element {...rest} className={`${styles["item"]} ${className}`}>
      {picture}
      <span className={styles["text"]}>{children}</span>
      {end}
    </Element>
  );
}

interface DeviceLineProps {
  /** Name from the server, e.g. `Chrome auf Android`, or by the member. */
  readonly name: string;
  /** By default a phone or a monitor, by the name. */
  readonly icon?: LucideIcon;
  readonly isThisOne?: boolean;
  /** `null` for none. */
  readonly detail: ReactNode;
  readonly children: ReactNode;
}

export function DeviceItem({ name, icon, isThisOne = false, detail, children }: DeviceLineProps): ReactNode {
  const ownIcon = /Android|iPhone|iPad/.test(name) ? Smartphone : Monitor;
  return (
    <ListItem as="li" className={styles["line"]} picture={<IconDisc icon={icon ?? ownIcon} />} end={children}>
      <strong>{name}</strong>
      {isThisOne && <span className={styles["current"]}>Dieses Gerät</span>}
      {detail !== null && <Hint as="span">{detail}</Hint>}
    </ListItem>
  );
}

type PagedQuery = Pick<
  UseInfiniteQueryResult,
  "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError" | "fetchNextPage"
>;

interface EntityListProps<Entity> {
  readonly query: ComponentProps<typeof QueryState<Entity[]>>["query"] & Partial<PagedQuery>;
  /** The entities with their German article: "Die Mitglieder". */
  readonly what: string;
  readonly emptyText: ReactNode;
  /** Lines of the skeleton. */
  readonly lines?: number;
  /** Content above and below the list on its card. */
  readonly above?: ReactNode;
  readonly below?: ReactNode;
  readonly children: (entities: readonly Entity[]) => ReactNode;
}

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
  readonly actions?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function EntityItem({ actions, className = "", children }: EntityItemProps): ReactNode {
  return (
    <Row as="li" className={className}>
      <Stack gap={1} className={styles["entity-list-text"]}>
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

/** Opens a dialog about its entity. */
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

export function Badge({ kind, children }: { kind?: "good" | "bad" | undefined; children: ReactNode }): ReactNode {
  return (
    <span className={styles["badge"]} data-kind={kind}>
      {children}
    </span>
  );
}
