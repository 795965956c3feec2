import type { ComponentProps, ReactNode } from "react";

import { BeerMat } from "./beer-mat.tsx";
import styles from "./card.module.css";
import { Stack } from "./layout.tsx";

/** A square beer mat with its content below each other; the properties are those of the content. */
export function Card(props: ComponentProps<typeof Stack<"div">>): ReactNode {
  return (
    <BeerMat shape="square">
      <Stack {...props} className={`${styles["content"]} ${props.className ?? ""}`} />
    </BeerMat>
  );
}

/** A page of cards: its heading, and the cards in two columns where there is room. */
export function CardPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <>
      <h1 className={styles["title"]}>{title}</h1>
      <Stack gap={5} className={styles["cards"]}>
        {children}
      </Stack>
    </>
  );
}
