import type { Quarantined } from '@pulsewire/contract';
import { innerDays, summariesOn } from '../../kit/records/complete-ranges.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { nextOffset, readService, readServicePages } from '../call.ts';
import { detailFields, mapNight, readNights, summaryFields } from '../mappers/map-sleep.ts';
import { anySource, createContext } from '../withings.ts';
import { requestOf, daysOf, historyDays, rereadDays } from './depths.ts';

/** Longer than a night can be; a detail is cut at a day. */
const nightMsMax = 86_400_000;

/** The summaries of some days, and the details of each night. */
export const sleepPull: PullSpec = {
  name: 'sleep',
  resources: ['sleep', 'sleep_cycle', 'hrv', 'respiratory_rate', 'heartrate', 'sleep_breathing_disturbance'],
  requiredScopes: ['user.activity'],
  chunkDays: 7,
  backfillDays: historyDays,
  reachDays: historyDaysMax,
  rereadDays,
  deletions: 'by_absence',
  collections: ['44'],
  async *pull(call) {
    const { http } = call;
    const context = createContext(call.user);
    const requested = requestOf(call, daysOf);
    const form = { action: 'getsummary', ...requested.form, data_fields: summaryFields };
    let isFirst = true;
    for await (const response of readServicePages(http, '/v2/sleep', form)) {
      const { body, version } = response;
      const quarantined: Quarantined[] = [];
      const nights = readNights(body, requested.window, quarantined, context);
      // A list of recent changes is not complete; pages are numbered, and a list of two may have shifted between them.
      const isWhole = requested.isByDays && isFirst && nextOffset(response) === null;
      isFirst = false;
      const partOf = isWhole ? summariesOn(innerDays(requested.window), anySource, 'sleep', 'sleep_cycle') : [];
      const named = nights.flatMap(({ sourceType, externalId }) =>
        ['sleep', 'sleep_cycle'].map((resource) => ({ resource, id: context.idOf(resource, sourceType, externalId) })),
      );
      yield { records: [], quarantined, version, partOf, named };
      for (const night of nights) {
        const [startdate, endMs] = [String(night.startMs / 1000), Math.min(night.endMs, night.startMs + nightMsMax)];
        const wanted = { action: 'get', startdate, enddate: String(endMs / 1000), data_fields: detailFields };
        const detail = await readService(http, '/v2/sleep', wanted);
        // A page of several responses has the version of the oldest.
        yield { ...mapNight(detail.body, night, context), version };
      }
    }
  },
};
