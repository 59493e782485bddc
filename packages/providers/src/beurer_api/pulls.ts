import { pullDefaults } from '../kit/pull-presets.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { addDays } from '../kit/time/days.ts';
import type { PullSpec } from '../kit/types/connector.ts';
import { createContext, type BeurerValues } from './beurer.ts';
import { mapMeasurements } from './map-measurements.ts';
import { kinds, type Kind } from './read-values.ts';

export const historyDays = 90;

function createPull(kind: Kind, { measurementsPath }: BeurerValues): PullSpec {
  return {
    ...pullDefaults,
    name: kind,
    resources: kinds[kind].resources,
    // A call reads everything since a day, so pieces would only be read twice.
    chunkDays: historyDaysMax,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    rereadDays: 7,
    deletions: { unseen: 'Deleted measurements stay in the list, and say so.' },
    async *pull({ http, user, window }) {
      const response = await http.get(measurementsPath, { type: kind, since: addDays(window.startDate, -1) });
      yield { ...mapMeasurements(kind, response.body, window, createContext(user)), version: response.version };
    },
  };
}

/** One pull for each kind of measurement. */
export function createBeurerPulls(values: BeurerValues): readonly PullSpec[] {
  return (Object.keys(kinds) as Kind[]).map((kind) => createPull(kind, values));
}
