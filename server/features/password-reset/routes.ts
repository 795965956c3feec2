import { forgotPassword, resetPassword as resetPasswordEndpoint } from "#contract/password-reset.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Context } from "#server/platform/context.ts";
import { requestReset, resetPassword } from "./actions.ts";

export function addPasswordResetRoutes(context: Context): void {
  handle(context.http, forgotPassword, async ({ body, request }) => {
    await requestReset(context, body.email, request.ip);
    return { message: "Wenn ein Konto mit dieser E-Mail-Adresse existiert, haben wir dir einen Link geschickt." };
  });

  handle(context.http, resetPasswordEndpoint, async ({ body }) => {
    await resetPassword(context, body);
    return { message: "Das Passwort wurde zurückgesetzt!" };
  });
}
