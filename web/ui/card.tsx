import type { ComponentProps, ReactNode } from "react";

import { BeerMat } from "./beer-mat.tsx";
import styles from "./card.module.css";
import { Columns, Page, Stack } from "./layout.tsx";

/** A square beer mat with its content below each other; the properties are those of the content. */
export function Card(props: ComponentProps<typeof Stack<"div">>): ReactNode {
  return (
    <BeerMat shape="square">
      <Stack {...props} className={`${styles["content"]} ${props.className ?? ""}`} />
    </BeerMat>
  );
}

/** A page of cards, each as tall as its content. */
export function CardPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <Page title={title}>
      <Columns className={styles["cards"]}>{children}</Columns>
    </Page>
  );
}
