import type { LinkContext } from '../../context/context.ts';
import { asLinkError, linkErrorType } from './link-error.ts';
import type { LinkFailure } from './link-outcome.ts';
import { assertUsable, readLinkSession, type LinkSession, type TokenReference } from './session.ts';

export interface LinkAttempt extends TokenReference {
  readonly provider: string;
  readonly traceId: string | null;
}

async function noteFailure({ database, logger }: LinkContext, session: LinkSession, errorType: string): Promise<void> {
  try {
    await database.sql`
      UPDATE link_sessions SET last_error_type = ${errorType}
      WHERE session_id = ${session.sessionId} AND team_id = ${session.teamId} AND state <> 'success'`;
  } catch (error) {
    // The outcome is what the user waits for; the note only serves who asks later.
    logger.warn({ session_id: session.sessionId, error }, 'link.failure_not_noted');
  }
}

/** One try to link, from the token to its outcome: a refusal becomes an outcome and is noted with the session, whatever else goes wrong is thrown. */
export async function attemptLink<Outcome extends { readonly state: string }>(
  context: LinkContext,
  attempt: LinkAttempt,
  work: (session: LinkSession) => Promise<Outcome>,
): Promise<{ readonly outcome: Outcome | LinkFailure; readonly session: LinkSession | null }> {
  // The path is the outside world's: only names that we know become labels.
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
    const error = asLinkError(thrown);
    const errorType = linkErrorType(error);
    if (errorType === null) throw error;
    context.logger.info({ provider, error_type: errorType, error }, 'link.refused');
    context.metrics.count('links_total', { provider, outcome: errorType });
    if (session) await noteFailure(context, session, errorType);
    return { outcome: { state: 'error', errorType, error: (error as Error).message, redirectUrl: session?.redirectUrl ?? null }, session };
  }
}
