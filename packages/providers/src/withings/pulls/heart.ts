import type { CompleteRange, Quarantined } from '@pulsewire/contract';
import { ofKind, samplesInside, summariesOn } from '../../kit/records/complete-ranges.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullContext, PulledPage, PullSpec } from '../../kit/types/connector.ts';
import { nextOffset, readService, readServicePages } from '../call.ts';
import { lead, mapSignal, readRecordings } from '../mappers/map-heart.ts';
import { anySource, createContext } from '../withings.ts';
import { historyDays, instantsOf, rereadDays } from './depths.ts';

/** The part of ranges that lies from one instant up to another. */
function between(ranges: readonly CompleteRange[], fromMs: number, toMs: number): CompleteRange[] {
  return ranges.flatMap((range) => {
    if (range.kind !== 'samples') return [];
    const cut = { ...range, fromMs: Math.max(range.fromMs, fromMs), toMs: Math.min(range.toMs, toMs) };
    return cut.fromMs < cut.toMs ? [cut] : [];
  });
}

async function* pullHeart({ http, user, window, now }: PullContext): AsyncGenerator<PulledPage> {
  const context = createContext(user);
  let isFirst = true;
  for await (const response of readServicePages(http, '/v2/heart', { action: 'list', ...instantsOf(window) })) {
    const { body, version } = response;
    const quarantined: Quarantined[] = [];
    const read = readRecordings(body, window, quarantined, context);
    const recordings = read.toSorted((a, b) => a.startMs - b.startMs);
    // Pages are numbered, and a list of two may have shifted between them.
    const isWhole = isFirst && nextOffset(response) === null && quarantined.length === 0;
    isFirst = false;
    const partOf = isWhole ? summariesOn(window, anySource, 'electrocardiogram') : [];
    // There are many voltages: each recording's page covers those up to the next recording.
    const voltages = isWhole ? ofKind(lead, samplesInside(window, now, anySource, ['electrocardiogram_voltage'])) : [];
    const startOf = (index: number) => recordings[index]?.startMs ?? Number.POSITIVE_INFINITY;
    yield { records: [], quarantined, version, partOf, allOf: between(voltages, Number.NEGATIVE_INFINITY, startOf(0)) };
    for (const [index, recording] of recordings.entries()) {
      const signal = await readService(http, '/v2/heart', { action: 'get', signalid: recording.signalId });
      yield { ...mapSignal(signal.body, recording, context), version, allOf: between(voltages, recording.startMs, startOf(index + 1)) };
    }
  }
}

/** The recordings of some days, each with its signal. */
export const heartPull: PullSpec = {
  name: 'heart',
  resources: ['electrocardiogram', 'electrocardiogram_voltage'],
  requiredScopes: ['user.metrics'],
  chunkDays: 90,
  backfillDays: historyDays,
  reachDays: historyDaysMax,
  rereadDays,
  deletions: 'by_absence',
  collections: ['54'],
  pull: pullHeart,
};
