import type { emailLinks } from '../../model/tables.ts';

/** A practice invites manually, and the person accepts in an app, which takes days. */
export const emailLinkLifeMs = 30 * 86_400_000;

/** A link by e-mail that waits for confirmation by the practice. The address is never logged. */
export type PendingEmailLink = Readonly<typeof emailLinks.$inferSelect>;
