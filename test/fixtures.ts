/** Ids, files and secrets that the features insert for the contract test; other tests use them, too. */
export const fixtures = {
  avatarId: "carlas-picture-0000000",
  calendarId: "a-picture-in-december0",
  calendarDate: "2025-12-01",
  guestSecret: "the-secret-in-the-code-on-the-garden-table0",
  guestToken: "00FF".repeat(16),
  partyPhotoId: "the-table-at-midnight0",
  tvSecret: "the-secret-of-the-television-in-the-cellar0",
  tvToken: "the-token-of-the-television-above-the-bar-00",
  tabletToken: "the-token-of-the-tablet-at-the-refrigerator",
  /** A push subscription; no server listens at its endpoint. */
  pushSubscription: {
    endpoint: "https://127.0.0.1/nobody",
    expirationTime: null,
    keys: {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
  },
  png: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWP4//8/AAX+Av5Y8msOAAAAAElFTkSuQmCC",
    "base64",
  ),
} as const;
