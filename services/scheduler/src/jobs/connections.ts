import {
  refreshDueTokens,
  pausePastIngestionEnd,
  endHandedOver,
  handBackFailed,
  revokeExpiredConsents,
  processDeregistrations,
  forgetLinkSessions,
  expireEmailLinks,
} from '@pulsewire/connections';
import {
  dropSchedule,
  hasReadLive,
  isBehind,
  lastDayStored,
  unsubscribe,
  wakeAppSubscriptions,
  wakeSubscriptions,
} from '@pulsewire/ingest';
import { connectors } from '@pulsewire/providers';
import { eachOf } from '../schedule/each-of.ts';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

/** The result of one batch: what was done, where the next one starts (null: nothing is left), and the errors of single items. */
interface Batch {
  readonly connections: number;
  readonly next: string | null;
  readonly errors: readonly unknown[];
}

/**
 * Runs a batch after another until nothing is left or the signal aborts; returns how many connections were handled, for the job's log line.
 * An error of a single item does not stop the others: the first one is thrown at the end, so that the run counts as failed.
 */
export async function inBatches(
  signal: AbortSignal,
  runBatch: (after: string | null) => Promise<Batch>,
): Promise<{ connections: number } | undefined> {
  let connections = 0;
  let after: string | null = null;
  const errors: unknown[] = [];
  do {
    const batch: Batch = await runBatch(after);
    connections += batch.connections;
    errors.push(...batch.errors);
    after = batch.next;
  } while (after !== null && !signal.aborted);
  if (errors.length > 0) throw errors[0];
  return connections > 0 ? { connections } : undefined;
}

const withinMs = 15 * 60_000;
const tokensMax = 200;

export const refreshTokensJob: ScheduledJob = {
  name: 'refresh_tokens',
  description: 'Refreshes access tokens that expire within 15 minutes, including those of connections that are not being pulled.',
  cron: '20 * * * * *',
  async run({ custody }, signal) {
    const tokens = await refreshDueTokens(custody, { withinMs, limit: tokensMax, signal });
    return tokens > 0 ? { tokens } : undefined;
  },
};

const pausesMax = 100;

export const pauseEndedConnectionsJob: ScheduledJob = {
  name: 'pause_ended_connections',
  description:
    'Deregisters and pauses connections of users whose ingestion has ended, late data included. A failure for one user does not stop the others.',
  cron: '0 17 * * * *',
  run: ({ database, clock }, signal) =>
    inBatches(signal, (after) =>
      pausePastIngestionEnd({ database, clock, onPaused: (tx, { connectionId }) => dropSchedule(tx, connectionId) }, pausesMax, after),
    ),
};

const endingsMax = 100;

export const endSucceededJob: ScheduledJob = {
  name: 'end_succeeded_connections',
  description:
    'Deregisters connections to ending providers that were handed over to a successor, once late data has arrived and the successor delivers.',
  cron: '0 27 * * * *',
  run: ({ database, clock }, signal) =>
    inBatches(signal, (after) =>
      endHandedOver(
        { database, clock, connectors, hasReadLive, isBehind, onDeregistered: (tx, { connectionId }) => dropSchedule(tx, connectionId) },
        endingsMax,
        after,
      ),
    ),
};

const handBacksMax = 100;

export const handBackFailedJob: ScheduledJob = {
  name: 'hand_back_failed_connections',
  description: 'Reads connections to ending providers again whose successor is in error, from the day after its last.',
  cron: '0 17 * * * *',
  run: ({ database, clock }, signal) =>
    inBatches(signal, (after) => handBackFailed({ database, clock, connectors, lastDayRead: lastDayStored }, handBacksMax, after)),
};

const deregistrationsMax = 50;

export const settleDeregistrationsJob: ScheduledJob = {
  name: 'settle_deregistrations',
  description: 'Revokes and unsubscribes removed connections and unconfirmed consents at their provider.',
  cron: '40 * * * * *',
  async run({ custody, unsubscribing }, signal) {
    const unconfirmed = await revokeExpiredConsents(custody, deregistrationsMax);
    const deregistrations = await processDeregistrations(custody, {
      limit: deregistrationsMax,
      signal,
      cleanUpProvider: (gone, accessToken, deadline) => unsubscribe(unsubscribing, gone, accessToken, deadline),
    });
    return deregistrations + unconfirmed > 0 ? { deregistrations, unconfirmed } : undefined;
  },
};

export const healSubscriptionsJob: ScheduledJob = {
  name: 'heal_subscriptions',
  description: 'Renews subscriptions of applications before they end, and retries subscriptions of users that could not be made.',
  cron: '0 7 * * * *',
  async run({ database, plan }) {
    const [subscriptions = 0, applications = 0] = await eachOf([
      () => wakeSubscriptions({ ...plan, database }),
      () => wakeAppSubscriptions({ ...plan, database }),
    ]);
    return subscriptions + applications > 0 ? { subscriptions, applications } : undefined;
  },
};

const sessionsMax = 5000;

export const forgetLinkSessionsJob: ScheduledJob = {
  name: 'forget_link_sessions',
  description: 'Deletes the secrets of expired link sessions, and the sessions themselves a week later.',
  cron: '50 */5 * * * *',
  async run({ database, clock }) {
    const sessions = await forgetLinkSessions(database, clock, sessionsMax);
    return sessions > 0 ? { sessions } : undefined;
  },
};

const emailLinksMax = 5000;

export const expireEmailLinksJob: ScheduledJob = {
  name: 'expire_email_links',
  description: 'Deletes links by e-mail that no practice has confirmed in thirty days, addresses included.',
  cron: '55 */15 * * * *',
  async run({ database, clock }) {
    const links = await expireEmailLinks(database, clock, emailLinksMax);
    return links > 0 ? { links } : undefined;
  },
};
