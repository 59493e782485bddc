import type { CompleteRange } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import { settledUntil, type PulledPage, type ProviderSend } from '@pulsewire/providers';
import { presentIn } from '@pulsewire/store';
import type { IngestContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { findRemovals, type CompleteReading } from '../records/remove-missing.ts';
import type { PageEffect } from '../records/write-page.ts';
import { requestKey } from '../vault/request-key.ts';
import type { RunningWindow } from '../window/claim-window.ts';
import { packReading, responsesMax, type ReadResponse } from '../window/last-reading.ts';
import { responseDigests, sharesDays } from './unchanged-reading.ts';

/** Collects what a reading responded and what its pages changed, to recognise an equal one. */
export interface ReadingMemory {
  /** Replaces the given calls. */
  readonly send: ProviderSend;
  addPage(page: PulledPage): void;
  addEffect(effect: PageEffect): void;
  /** Part of it was not stored, or came from another time: it is not remembered. */
  discard(): void;
  /** After its last page was stored, in that transaction: the reading in the form in which its window keeps it; null: it is not remembered. */
  packed(tx: Tx, whole: CompleteReading | null): Promise<Buffer | null>;
}

const dayMs = 86_400_000;

/**
 * The newest hours of complete ranges of samples, which are not complete yet. What is stored there and missing in the reading is removed by
 * a later, equal one.
 */
function unsettledPart(ranges: readonly CompleteRange[], now: Date): CompleteRange[] {
  const fromMs = settledUntil(now);
  return ranges.flatMap((range) =>
    range.kind === 'samples' && range.toMs >= fromMs ? [{ ...range, fromMs, toMs: now.getTime() + dayMs }] : [],
  );
}

/**
 * Watches a reading in full. It is remembered only when it shows that an equal one would change nothing: it was whole, all its records were
 * stored before and are its own, nothing was left for later, and no day of it may go to another connection.
 */
export function rememberReading(
  context: IngestContext,
  pullable: Pullable,
  window: RunningWindow,
  { send, now }: { readonly send: ProviderSend; readonly now: Date },
): ReadingMemory {
  const digestOf = responseDigests(context, pullable, window);
  const responses: ReadResponse[] = [];
  const unsettled: CompleteReading[] = [];
  let isPlain = window.lane === 'live' && window.objectId === '' && !window.wasInterruptedByQuota;
  return {
    async send(method, path, call) {
      try {
        const response = await send(method, path, call);
        if (responses.length >= responsesMax) isPlain = false;
        if (!isPlain) return response;
        const { version } = response;
        responses.push({ digest: digestOf(requestKey(method, path, call), response), version, seenVersion: version });
        return response;
      } catch (error) {
        // Connectors continue after some refusals; what was refused once may be permitted next time.
        isPlain = false;
        throw error;
      }
    },
    addPage(page) {
      const ranges = isPlain ? unsettledPart(page.allOf ?? [], now) : [];
      if (ranges.length > 0) unsettled.push({ version: page.version, ranges, records: presentIn(page.records) });
    },
    addEffect({ changes, isClean }) {
      if (changes > 0 || !isClean) isPlain = false;
    },
    discard() {
      isPlain = false;
    },
    async packed(tx, whole) {
      if (!isPlain || responses.length === 0) return null;
      const open = whole === null ? [] : unsettledPart(whole.ranges, now);
      if (whole !== null && open.length > 0) unsettled.push({ ...whole, ranges: open });
      for (const reading of unsettled) if ((await findRemovals(tx, pullable, reading)).length > 0) return null;
      return (await sharesDays(tx, pullable)) ? null : packReading(responses);
    },
  };
}
