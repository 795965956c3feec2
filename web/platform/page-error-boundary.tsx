import { Component, useTransition, type ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { finishNavigation } from "./location.ts";
import { reloadForNewerVersion } from "./newer-version.ts";
import styles from "./page-view.module.css";
import { PageLoadError, type LazyPage } from "./pages.ts";

interface Props {
  page: LazyPage;
  onRetry: () => void;
  children: ReactNode;
}

interface State {
  error: unknown;
  isRetried: boolean;
}

/** Catches a page that fails. Code that cannot be fetched is most likely of an older version: one reload brings the new one. */
export class PageErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, isRetried: false };

  static getDerivedStateFromError(error: unknown): Pick<State, "error"> {
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
      this.props.onRetry();
      this.setState({ error: null, isRetried: true });
    };
    const { error, isRetried } = this.state;
    return <PageFailure isLoading={error instanceof PageLoadError} isRetried={isRetried} onRetry={retry} />;
  }
}

interface PageFailureProps {
  isLoading: boolean;
  isRetried: boolean;
  onRetry: () => void;
}

function PageFailure({ isLoading, isRetried, onRetry }: PageFailureProps): ReactNode {
  // In a transition, so that it stays while the page is tried again. Where that fails, too, React replaces it by a new one.
  const [isPending, startTransition] = useTransition();
  return (
    <div className={styles["failure"]} role="alert">
      <Card>
        <h1>Da ist was umgekippt.</h1>
        <p>
          {isLoading
            ? "Diese Seite konnte nicht geladen werden. Hast du Empfang?"
            : "Auf dieser Seite ist ein Fehler aufgetreten."}
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the button before it had the focus */}
        <Button kind="primary" isBusy={isPending} autoFocus={isRetried} onClick={() => startTransition(onRetry)}>
          Nochmal versuchen
        </Button>
      </Card>
    </div>
  );
}
