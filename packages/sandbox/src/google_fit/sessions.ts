import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import { activityScope, sleepScope } from './data-types.ts';
import { badArgument, noScope } from './errors.ts';
import { issueToken, readLedger, type LedgerEntry } from './session-ledger.ts';

const monthMs = 30 * 86_400_000;

function instantOf(query: URLSearchParams, name: string): number | null {
  const given = query.get(name);
  if (given === null) return null;
  const ms = Date.parse(given);
  if (Number.isNaN(ms) || !/T.*(?:Z|[+-]\d\d:\d\d)$/.test(given)) throw badArgument(`Invalid value for ${name}`);
  return ms;
}

export function sessionBody({ session, modifiedMs }: LedgerEntry): Readonly<Record<string, unknown>> {
  const { id, name, startMs, endMs, code, activeMs } = session;
  return {
    id,
    name,
    description: '',
    startTimeMillis: String(startMs),
    endTimeMillis: String(endMs),
    modifiedTimeMillis: String(modifiedMs),
    // A session of a person's own app has no version.
    application: { packageName: 'com.example.wear', ...(code === 72 && { version: '', detailsUrl: '' }) },
    activityType: code,
    ...(activeMs !== null && { activeTimeMillis: String(activeMs) }),
  };
}

/** Sessions that end in a range: all at once and without deletions, whatever else is requested. */
function inWindow(entries: readonly LedgerEntry[], fromMs: number, toMs: number): readonly object[] {
  return entries.filter(({ session, isDeleted }) => !isDeleted && session.endMs >= fromMs && session.endMs < toMs).map(sessionBody);
}

/** With times: the sessions of a range. Without: what has changed since the token, or in the last 30 days. */
export function sessions(call: UserCall): ApiResponse {
  const { query, grant, parts } = call;
  if (![activityScope, sleepScope].some((scope) => grant.scopes.includes(scope)))
    throw noScope('Request had insufficient authentication scopes.');
  const codes = query.getAll('activityType').map(Number);
  const nowMs = parts.clock.wallMs();
  const entries = readLedger(call).filter(({ session }) => codes.length === 0 || codes.includes(session.code));
  const [fromMs, toMs] = [instantOf(query, 'startTime'), instantOf(query, 'endTime')];
  const nextPageToken = issueToken(call, entries);
  if (fromMs !== null || toMs !== null) {
    return { body: { session: inWindow(entries, fromMs ?? 0, toMs ?? Number.MAX_SAFE_INTEGER), deletedSession: [], nextPageToken } };
  }
  const token = query.get('pageToken');
  if (token !== null && !/^\d{1,15}$/.test(token)) throw badArgument('Invalid page token');
  const sinceMs = token === null ? nowMs - monthMs : Number(token);
  const changed = entries.filter(({ modifiedMs }) => modifiedMs > sinceMs);
  const deleted = query.get('includeDeleted') === 'true' ? changed.filter(({ isDeleted }) => isDeleted) : [];
  return {
    body: {
      session: changed.filter(({ isDeleted }) => !isDeleted).map(sessionBody),
      // Only the id is reliable.
      deletedSession: deleted.map(({ session, modifiedMs }) => ({ id: session.id, modifiedTimeMillis: String(modifiedMs) })),
      nextPageToken,
    },
  };
}
