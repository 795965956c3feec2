import { Children, Component, isValidElement, type ComponentProps, type ReactNode } from "react";

import { BeerMat } from "./beer-mat.tsx";
import { Button } from "./button.tsx";
import styles from "./card.module.css";
import { Logo } from "./icons.tsx";
import { Columns, Page, Stack } from "./layout.tsx";

export function Card(props: ComponentProps<typeof Stack<"div">>): ReactNode {
  return (
    <CardErrorBoundary>
      <BeerMat shape="square">
        <Stack {...props} className={`${styles["content"]} ${props.className ?? ""}`} />
      </BeerMat>
    </CardErrorBoundary>
  );
}

/** Uses two columns from 900 px on. A card that fails to render does not affect the others. */
export function Cards({ children, ...rest }: ComponentProps<typeof Columns<"div">>): ReactNode {
  return (
    <Columns {...rest}>
      {Children.map(children, (card) => isValidElement(card) && <CardErrorBoundary>{card}</CardErrorBoundary>)}
    </Columns>
  );
}

/** Makes each card as tall as its content. */
export function CardPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <Page title={title}>
      <Cards className={styles["cards"]}>{children}</Cards>
    </Page>
  );
}

export function FormCard({
  title,
  children,
  below,
}: {
  title: string;
  children: ReactNode;
  below: ReactNode;
}): ReactNode {
  return (
    <div className={styles["card"]}>
      <div className={styles["mark"]}>
        <Logo size={88} />
      </div>
      <BeerMat shape="square">
        <Stack className={styles["form-card-content"]}>
          <h1 className={styles["title"]}>{title}</h1>
          {children}
        </Stack>
      </BeerMat>
      <div className={`text-links ${styles["below"]}`}>{below}</div>
    </div>
  );
}

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly hasFailed: boolean;
}

export class CardErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <BeerMat shape="square">
        <Stack data-align="center" role="alert">
          <p>Hier ist etwas umgekippt.</p>
          <Button onClick={() => this.setState({ hasFailed: false })}>Nochmal versuchen</Button>
        </Stack>
      </BeerMat>
    );
  }
}
