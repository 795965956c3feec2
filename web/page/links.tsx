import { createLink } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import type { ComponentPropsWithRef, ReactNode } from "react";

import { buttonStyle, type ButtonProps, QuietAction } from "#web/ui/button.tsx";
import { ListItem } from "#web/ui/list.tsx";
import { MenuItem } from "#web/ui/menu.tsx";
import { Strip } from "#web/ui/strip.tsx";
import styles from "./links.module.css";

type AnchorProps = ComponentPropsWithRef<"a">;

export const ButtonLink = createLink(({ kind, ...rest }: AnchorProps & Pick<ButtonProps, "kind">): ReactNode => (
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the content is in `rest`
  <a {...rest} className={buttonStyle} data-kind={kind} />
));

export const QuietLink = createLink((props: AnchorProps): ReactNode => <QuietAction as="a" {...props} />);

export const MenuLink = createLink((props: AnchorProps): ReactNode => <MenuItem as="a" {...props} />);

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

export const ListItemLink = createLink((props: ListItemLinkProps): ReactNode => <ListItem as="a" {...props} />);

type StripLinkProps = AnchorProps & { readonly title: string; readonly text: string };

export const StripLink = createLink((props: StripLinkProps): ReactNode => <Strip as="a" {...props} />);
