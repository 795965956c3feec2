import { createLink } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import type { ComponentPropsWithRef, ReactNode } from "react";

import { buttonStyle, type ButtonProps, QuietAction } from "#web/ui/button.tsx";
import { ListItem } from "#web/ui/list.tsx";
import { MenuItem } from "#web/ui/menu.tsx";
import styles from "./links.module.css";

type AnchorProps = ComponentPropsWithRef<"a">;

/** A link to a page of the app that looks like a button. */
export const ButtonLink = createLink(({ kind, ...rest }: AnchorProps & Pick<ButtonProps, "kind">): ReactNode => (
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the content is in `rest`
  <a {...rest} className={buttonStyle} data-kind={kind} />
));

/** A link in the color of secondary text. */
export const QuietLink = createLink((props: AnchorProps): ReactNode => <QuietAction as="a" {...props} />);

/** A link in a menu. */
export const MenuLink = createLink((props: AnchorProps): ReactNode => <MenuItem as="a" {...props} />);

/** A link to the parent page. */
export const BackLink = createLink(({ children, ...rest }: AnchorProps): ReactNode => (
  <QuietAction as="a" {...rest} className={styles["back"]}>
    <ChevronLeft size={18} />
    {children}
  </QuietAction>
));

interface ListItemLinkProps extends AnchorProps {
  readonly picture: ReactNode;
  readonly end?: ReactNode;
}

/** A line of a list that leads to a page. */
export const ListItemLink = createLink((props: ListItemLinkProps): ReactNode => <ListItem as="a" {...props} />);
