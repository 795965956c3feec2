import { Children, isValidElement, type ComponentProps, type ReactNode } from "react";

import { BeerMat } from "./beer-mat.tsx";
import { CardErrorBoundary } from "./card-error-boundary.tsx";
import styles from "./card.module.css";
import { Columns, Page, Stack } from "./layout.tsx";

/** A card that stacks its content and takes the properties of `Stack`. */
export function Card(props: ComponentProps<typeof Stack<"div">>): ReactNode {
  return (
    <CardErrorBoundary>
      <BeerMat shape="square">
        <Stack {...props} className={`${styles["content"]} ${props.className ?? ""}`} />
      </BeerMat>
    </CardErrorBoundary>
  );
}

/**
 * Shows cards in two columns if the page is at least 900 px wide. A card that fails to render does
 * not affect the others.
 */
export function Cards({ children, ...rest }: ComponentProps<typeof Columns<"div">>): ReactNode {
  return (
    <Columns {...rest}>
      {Children.map(children, (card) => isValidElement(card) && <CardErrorBoundary>{card}</CardErrorBoundary>)}
    </Columns>
  );
}

/** A page of cards, each as tall as its content. */
export function CardPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <Page title={title}>
      <Cards className={styles["cards"]}>{children}</Cards>
    </Page>
  );
}
