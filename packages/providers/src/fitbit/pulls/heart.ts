import { historyDaysMax } from '../../kit/history-depth.ts';
import { eachDay } from '../../kit/time/days.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { allMeasured, allSummaries } from '../context/all-of.ts';
import { createMapContext, pageOf } from '../context/map-context.ts';
import { mapEcg, mapHeartrateDay, mapRhythmAlerts } from '../mappers/map-heart.ts';
import { listPages } from './paging.ts';

export const heartratePull: PullSpec = {
  name: 'heartrate-intraday',
  resources: ['heartrate'],
  requiredScopes: ['heartrate'],
  chunkDays: 1,
  // A fixed depth for heart rate.
  backfillDays: 14,
  rereadDays: 3,
  collections: ['activities'],
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    for (const day of eachDay(window)) {
      // `1sec` returns every reading, about one every five seconds, for one call, the same as minutes.
      const response = await http.get(`/1/user/-/activities/heart/date/${day}/1d/1sec.json`);
      yield pageOf(response, mapHeartrateDay(response.body, day, context));
    }
  },
};

export const ecgPull: PullSpec = {
  name: 'ecg',
  resources: ['electrocardiogram', 'electrocardiogram_voltage'],
  requiredScopes: ['electrocardiogram'],
  chunkDays: 90,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 3,
  collections: [],
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    const shape = { logs: 'ecgReadings', time: 'startTime' };
    for await (const { response, complete } of listPages(http, '/1/user/-/ecg/list.json', shape, window, 10)) {
      const allOf = complete
        ? [
            ...allSummaries('electrocardiogram', ['watch'], complete),
            ...allMeasured('electrocardiogram_voltage', complete, context, Number.NEGATIVE_INFINITY, 'lead_1'),
          ]
        : [];
      yield pageOf(response, { ...mapEcg(response.body, window, context), allOf });
    }
  },
};

export const rhythmAlertsPull: PullSpec = {
  name: 'rhythm-alerts',
  resources: ['heart_rate_alert'],
  requiredScopes: ['irregular_rhythm_notifications'],
  chunkDays: 90,
  backfillDays: 90,
  reachDays: historyDaysMax,
  // An alert is listed only after the user has viewed it, which may be days later.
  rereadDays: 7,
  collections: [],
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    const shape = { logs: 'alerts', time: 'detectedTime' };
    for await (const { response, complete } of listPages(http, '/1/user/-/irn/alerts/list.json', shape, window, 10)) {
      const allOf = complete ? allMeasured('heart_rate_alert', complete, context, Number.NEGATIVE_INFINITY, 'irregular_rhythm') : [];
      yield pageOf(response, { ...mapRhythmAlerts(response.body, window, context), allOf });
    }
  },
};
