import type { Quarantined } from '@pulsewire/contract';
import type { PullSpec } from '../../kit/types.ts';
import { readService, readServicePages } from '../call.ts';
import { detailFields, mapNight, readNights, summaryFields } from '../map-sleep.ts';
import { createContext } from '../withings.ts';
import { daysOf } from './days-pull.ts';
import { detailDays, rereadDays } from './depths.ts';

/** Longer than a night can be; a detail is cut at a day. */
const nightMsMax = 86_400_000;

/** The summaries of some days, and of each night its details. */
export const sleepPull: PullSpec = {
  name: 'sleep',
  resources: ['sleep', 'sleep_cycle', 'hrv', 'respiratory_rate', 'heartrate'],
  requiredScopes: ['user.activity'],
  chunkDays: 7,
  backfillDays: detailDays,
  rereadDays,
  collections: ['44'],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const form = { action: 'getsummary', ...daysOf(window), data_fields: summaryFields };
    for await (const { body, version } of readServicePages(http, '/v2/sleep', form)) {
      const quarantined: Quarantined[] = [];
      const nights = readNights(body, window, quarantined, context);
      yield { records: [], quarantined, version };
      for (const night of nights) {
        const [startdate, endMs] = [String(night.startMs / 1000), Math.min(night.endMs, night.startMs + nightMsMax)];
        const asked = { action: 'get', startdate, enddate: String(endMs / 1000), data_fields: detailFields };
        const detail = await readService(http, '/v2/sleep', asked);
        // A page made of several answers has the version of the oldest one.
        yield { ...mapNight(detail.body, night, context), version };
      }
    }
  },
};
