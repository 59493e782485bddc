import { AppError, type Clock, type Logger } from '@pulsewire/kernel';
import { countFailedKeys, failedKeysWindowMs } from '@pulsewire/connections';
import type { Executor } from '@pulsewire/database';
import { networkOf } from '@pulsewire/outbound';

/** Counts unknown keys by client address, over all processes. */
export interface FailedKeys {
  /** Whether another unknown key from this address is refused as usual, or with 429 after too many. */
  refusal(address: string | null): Promise<AppError | null>;
}

export interface FailedKeysOptions {
  readonly database: Executor;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Most unknown keys of one address per minute. */
export const failuresMax = 60;
/** Failures of one address that a process counts before it reports them. */
export const reportedTogether = 5;
/** Most addresses in memory; beyond that the oldest are dropped. */
export const addressesMax = 10_000;
/** Most addresses in one statement. */
const reportMax = 1000;

/** A client with one IPv6 address usually controls the whole /64. */
export function groupOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain.includes(':') ? (networkOf(`${plain.split('%', 1)[0]}/64`) ?? plain) : plain;
}

interface Counted {
  /** The count of all processes at the last report. */
  shared: number;
  /** Failures that this process has not reported yet. */
  own: number;
  untilMs: number;
}

function tooManyFailedKeys(waitMs: number): AppError {
  return new AppError({
    code: 'too_many_failed_keys',
    kind: 'rate_limited',
    message: 'Too many unknown API keys from this address; retry later',
    retryable: true,
    retryAfterMs: Math.max(1, waitMs),
  });
}

/**
 * An address may have 60 failures a minute over all processes, and at most four more at each of them. A process reports failures in
 * batches of five or more, with one statement at a time for all addresses, and makes no query for an address above the limit. While the
 * database does not respond, each process counts by itself. Valid keys are never counted.
 */
export function createFailedKeys({ database, clock, logger }: FailedKeysOptions): FailedKeys {
  const counts = new Map<string, Counted>();
  const due = new Set<string>();
  let reporting: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function reportDue(): Promise<void> {
    const addresses = [...due].slice(0, reportMax);
    for (const address of addresses) due.delete(address);
    const reported = addresses.flatMap((address) => {
      const counted = counts.get(address);
      return counted === undefined || counted.own === 0 ? [] : [{ address, failures: counted.own, counted }];
    });
    if (reported.length === 0) return;
    try {
      const totals = new Map((await countFailedKeys(database, reported)).map((total) => [total.address, total]));
      for (const { address, failures, counted } of reported) {
        const total = totals.get(address);
        if (total === undefined) continue;
        counted.shared = total.failures;
        counted.own -= failures;
        counted.untilMs = clock.monotonicMs() + total.leftMs;
      }
    } catch (error) {
      logger.warn({ error, addresses: reported.length }, 'api_keys.share_failed');
    }
    if (due.size > 0) return reportDue();
  }

  // Failures that arrive while a report is in progress share the next one.
  function report(address: string): Promise<void> {
    due.add(address);
    next ??= reporting.then(() => {
      next = undefined;
      return reportDue();
    });
    reporting = next;
    return next;
  }

  function countedOf(group: string): Counted {
    const nowMs = clock.monotonicMs();
    const known = counts.get(group);
    if (known && nowMs < known.untilMs) return known;
    counts.delete(group);
    if (counts.size >= addressesMax) counts.delete(counts.keys().next().value as string);
    const fresh = { shared: 0, own: 0, untilMs: nowMs + failedKeysWindowMs };
    counts.set(group, fresh);
    return fresh;
  }

  const refusalOf = ({ shared, own, untilMs }: Counted) =>
    shared + own > failuresMax ? tooManyFailedKeys(untilMs - clock.monotonicMs()) : null;

  return {
    async refusal(address) {
      const group = address === null ? 'unknown' : groupOf(address);
      const counted = countedOf(group);
      const refused = refusalOf(counted);
      if (refused) return refused;
      counted.own += 1;
      if (counted.own >= reportedTogether) await report(group);
      return refusalOf(counted);
    },
  };
}
