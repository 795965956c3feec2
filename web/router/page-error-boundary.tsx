import { Component, useTransition, type ReactNode } from "react";

import { reloadForNewerVersion } from "#web/pwa/newer-version.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { PageLoadError, type PageCode } from "./page-code.ts";
import styles from "./page-frame.module.css";

interface Props {
  code: PageCode;
  onRetry: () => void;
  children: ReactNode;
}

interface State {
  error: unknown;
  isRetried: boolean;
}

/**
 * Catches errors of a page. If the page's code cannot be fetched, the server probably has a newer
 * version, and the app is reloaded once.
 */
export class PageErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, isRetried: false };

  static getDerivedStateFromError(error: unknown): Pick<State, "error"> {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof PageLoadError) void reloadForNewerVersion();
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    const retry = (): void => {
      this.props.code.reset();
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
  // Retries in a transition, so that the button remains visible. If the retry fails, React replaces
  // the button with a new one.
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
