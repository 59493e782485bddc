import { run } from '@pulsewire/database';
import { and, eq, ne } from 'drizzle-orm';
import type { LinkContext } from '../../context/context.ts';
import { asLinkError, linkErrorType } from './link-error.ts';
import type { LinkFailure } from './link-outcome.ts';
import { assertUsable, readLinkSession, type LinkSession, type TokenReference } from './session.ts';
import { linkSessions } from '../../model/tables.ts';
import { reportConfigurationFault } from '../../providers/report-configuration-fault.ts';

export interface LinkAttempt extends TokenReference {
  readonly provider: string;
  readonly traceId: string | null;
  /** The browser returns from the provider. */
  readonly isCallback?: boolean;
}

async function saveFailure({ database, logger }: LinkContext, session: LinkSession, errorType: string): Promise<void> {
  try {
    const isPending = and(
      eq(linkSessions.sessionId, session.sessionId),
      eq(linkSessions.teamId, session.teamId),
      ne(linkSessions.state, 'success'),
    );
    await run(database.orm.update(linkSessions).set({ lastErrorType: errorType }).where(isPending));
  } catch (error) {
    // The user waits for the outcome; the stored error type is only read later.
    logger.warn({ sessionId: session.sessionId, error }, 'link.failure_save_failed');
  }
}

/**
 * One attempt to link, from the token to its outcome: a rejection becomes an outcome and is stored with the session; other errors are
 * thrown.
 */
export async function attemptLink<Outcome extends { readonly state: string }>(
  context: LinkContext,
  attempt: LinkAttempt,
  work: (session: LinkSession) => Promise<Outcome>,
): Promise<{ readonly outcome: Outcome | LinkFailure; readonly session: LinkSession | null }> {
  // The provider comes from the URL: only known slugs become labels.
  const provider = context.connectorFor(attempt.provider)?.slug ?? 'unknown';
  let session: LinkSession | null = null;
  try {
    const found = await readLinkSession(context, attempt);
    session = found.session;
    assertUsable(session, found.isExpired);
    const outcome = await work(session);
    context.metrics.count('links_total', { provider, outcome: outcome.state });
    return { outcome, session };
  } catch (thrown) {
    reportConfigurationFault(context, provider, thrown);
    const error = asLinkError(thrown);
    const errorType = linkErrorType(error);
    if (errorType === null) throw error;
    context.logger.info({ provider, errorType, error }, 'link.refused');
    context.metrics.count('links_total', { provider, outcome: errorType });
    if (session) await saveFailure(context, session, errorType);
    return { outcome: { state: 'error', errorType, error: (error as Error).message, redirectUrl: session?.redirectUrl ?? null }, session };
  }
}
