import { LogIn } from "lucide-react";
import type { ReactNode } from "react";

import { useAction } from "#web/forms/use-action.ts";
import { redirectTarget } from "#web/router/redirect-target.ts";
import { loadOidc } from "#web/session/load-login.ts";
import { Button } from "#web/ui/button.tsx";
import styles from "./ways.module.css";

interface OidcButtonProps {
  readonly label: string;
  /** `true` if the page offers no other way to log in. */
  readonly isOnly: boolean;
  readonly isRemembered?: () => boolean;
  /** The token of an invitation with which a new member registers. */
  readonly invitation?: string;
}

/** Navigates to the OpenID provider for a login. */
export function OidcButton({ label, isOnly, isRemembered, invitation }: OidcButtonProps): ReactNode {
  const { isPending, run } = useAction(async () =>
    (await loadOidc()).startLogin(redirectTarget(location.search) + location.hash, isRemembered?.(), invitation),
  );
  return (
    <div className={styles["oidc"]}>
      <Button kind={isOnly ? "primary" : "plain"} isWide isBusy={isPending} onClick={() => void run()}>
        <LogIn size={20} />
        <span>{label}</span>
      </Button>
    </div>
  );
}
