import type { CoveredWindow } from '@pulsewire/ingest';
import type { DayHistory, ExplainedConnection } from '@pulsewire/explain';

const responsesShown = 50;
const at = (date: Date | null) => (date === null ? '-' : date.toISOString());
const states = {
  planned: 'waits',
  running: 'is running',
  done: 'was read',
  failed: 'failed and is retried',
  given_up: 'was given up',
} as const;

function describeConnection({ connection, plan, availability }: ExplainedConnection, resource: string): readonly string[] {
  const { provider, connectionId, status, error, createdAt, isDemo } = connection;
  const lines = [`${provider}  ${connectionId}  ${status}${isDemo ? ' (demo)' : ''} since ${at(createdAt)}`];
  if (error) lines.push(`  stopped ${at(error.erroredAt)}: ${error.errorType}, ${error.message}`);
  const scopes = availability?.scope_requirements;
  if (availability === null) lines.push(`  the provider does not supply ${resource}`);
  else if (!scopes) lines.push(`  ${resource} is ${availability.status}; the provider has no scopes`);
  else {
    const list = (names: readonly string[]) => (names.length > 0 ? names.join(', ') : 'none');
    lines.push(
      `  ${resource} is ${availability.status}; required scopes granted: ${list(scopes.user_granted.required)}; denied: ${list(scopes.user_denied.required)}; optional denied: ${list(scopes.user_denied.optional)}`,
    );
  }
  if (plan?.stoppedAt) lines.push(`  not pulled since ${at(plan.stoppedAt)}`);
  else if (plan) lines.push(`  next pull ${at(plan.nextPullAt)}; notifications ${plan.subscription}`);
  if (plan?.resumeAt) lines.push(`  the provider accepts no calls before ${at(plan.resumeAt)}`);
  if (plan?.backfillResumeAt) lines.push(`  no history before ${at(plan.backfillResumeAt)}: little of the quota is left`);
  return lines;
}

export function describeConnections({ connections, resource }: DayHistory): readonly string[] {
  return connections.flatMap((one) => describeConnection(one, resource));
}

function describeWindow(window: CoveredWindow): string {
  const { lane, pull, startDate, endDate, state, runs, attempts, errorCode, plannedAt, dueAt, startedAt, finishedAt } = window;
  const received = `${window.samplesReceived} samples (${window.samplesCreated} new, ${window.samplesUpdated} changed), ${window.summariesReceived} summaries (${window.summariesCreated} new, ${window.summariesUpdated} changed), ${window.quarantined} set aside`;
  const times = `requested ${at(plannedAt)}, started ${at(startedAt)}, ended ${at(finishedAt)}`;
  const next = state === 'planned' || state === 'failed' ? `, due ${at(dueAt)}` : '';
  const error = errorCode === null ? '' : `, ${errorCode}`;
  return `${lane} ${pull} ${startDate} to ${endDate}  ${states[state]}${error}  ${runs} runs, ${attempts} failed in a row  ${times}${next}  received ${received}`;
}

export function describeWindows({ windows }: DayHistory): readonly string[] {
  return windows.toSorted((a, b) => a.plannedAt.getTime() - b.plannedAt.getTime()).map(describeWindow);
}

/** The provider's responses without their contents, which are health data. */
export function describeResponses({ responses }: DayHistory): readonly string[] {
  const lines = responses.flatMap(({ provider, source, pull, startDate, endDate, keptAt, responses: list, errorCode }) => {
    const of = `${provider} ${source === 'push' ? 'pushed' : 'responded to'} ${pull} ${startDate} to ${endDate}`;
    if (list === null) return [`${at(keptAt)}  ${of}: kept, but cannot be opened (${errorCode})`];
    return list.map((one) => {
      const size = one.size === null ? 'too large to be kept' : `${one.size} bytes`;
      const what = one.errorCode === null ? `${one.status}, ${size}, version ${one.version}` : `${one.status}, refused: ${one.errorCode}`;
      return `${one.receivedAt}  ${of}  ${one.place}  ${what}`;
    });
  });
  const hidden = lines.length - responsesShown;
  return hidden > 0 ? [`… ${hidden} earlier ones`, ...lines.slice(-responsesShown)] : lines;
}

export function describeSetAside({ setAside }: DayHistory): readonly string[] {
  return setAside.map(
    ({ resource, reason, pointer, sightings, firstSeenAt, lastSeenAt }) =>
      `${resource}  ${reason} at ${pointer}  seen ${sightings} times, from ${at(firstSeenAt)} to ${at(lastSeenAt)}`,
  );
}
