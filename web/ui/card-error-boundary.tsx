import { Component, type ReactNode } from "react";

import { BeerMat } from "./beer-mat.tsx";
import { Button } from "./button.tsx";
import { Stack } from "./layout.tsx";

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly hasFailed: boolean;
}

/** Catches a card that fails to render, so that the other cards of the page stay usable. */
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
