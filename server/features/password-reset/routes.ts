import { forgotPassword, resetPassword as resetPasswordEndpoint } from "#contract/password-reset.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Platform } from "#server/platform/platform.ts";
import { requestReset, resetPassword } from "./actions.ts";

export function addPasswordResetRoutes(platform: Platform): void {
  handle(platform.door, forgotPassword, async ({ body, request }) => {
    await requestReset(platform, body.email, request.ip);
    return { message: "Wenn ein Konto mit dieser E-Mail-Adresse existiert, haben wir dir einen Link geschickt." };
  });

  handle(platform.door, resetPasswordEndpoint, async ({ body }) => {
    await resetPassword(platform, body);
    return { message: "Das Passwort wurde zurückgesetzt!" };
  });
}
