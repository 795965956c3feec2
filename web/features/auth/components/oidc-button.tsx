import { LogIn } from "lucide-react";
import type { ReactNode } from "react";

import { useAction } from "#web/forms/use-action.ts";
import { redirectTarget } from "#web/router/redirect-target.ts";
import { loadOidc } from "#web/session/load-login.ts";
import { Button } from "#web/ui/button.tsx";
import styles from "./oidc-button.module.css";

interface OidcButtonProps {
  readonly label: string;
  /** `true` if it is the only way on the page. */
  readonly isOnly?: boolean;
  /** Returns what the login at the provider is for. */
  readonly onStart: () => { readonly isRemembered?: boolean; readonly invitation?: string };
}

/** Navigates to the OpenID provider for a login. */
export function OidcButton({ label, isOnly = false, onStart }: OidcButtonProps): ReactNode {
  const start = useAction(async () => {
    const returnTo = redirectTarget(location.search) + location.hash;
    await (await loadOidc()).startLogin(onStart(), returnTo);
  });
  return (
    <div className={styles["way"]}>
      <Button kind={isOnly ? "primary" : "plain"} isWide isBusy={start.isPending} onClick={() => void start.run()}>
        <LogIn size={20} />
        <span className={styles["label"]}>{label}</span>
      </Button>
    </div>
  );
}
