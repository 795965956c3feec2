import { Component, type ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { finishNavigation } from "./location.ts";
import { reloadForNewerVersion } from "./newer-version.ts";
import styles from "./page-view.module.css";
import { PageLoadError, type LazyPage } from "./pages.ts";

interface Props {
  page: LazyPage;
  children: ReactNode;
}

/** Catches a page that fails. Code that cannot be fetched is most likely of an older version: one reload brings the new one. */
export class PageErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    finishNavigation();
    if (error instanceof PageLoadError) void reloadForNewerVersion();
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    const retry = (): void => {
      this.props.page.reset();
      this.setState({ error: null });
    };
    return <PageFailure isLoading={this.state.error instanceof PageLoadError} onRetry={retry} />;
  }
}

function PageFailure({ isLoading, onRetry }: { isLoading: boolean; onRetry: () => void }): ReactNode {
  return (
    <div className={styles["failure"]} role="alert">
      <Card>
        <h1>Da ist was umgekippt.</h1>
        <p>
          {isLoading
            ? "Diese Seite konnte nicht geladen werden. Hast du Empfang?"
            : "Auf dieser Seite ist ein Fehler aufgetreten."}
        </p>
        <Button kind="primary" onClick={onRetry}>
          Nochmal versuchen
        </Button>
      </Card>
    </div>
  );
}
