import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { allMeasured } from '../context/all-of.ts';
import { createMapContext, pageOf } from '../context/map-context.ts';
import { mapRhythmAlerts } from '../mappers/map-rhythm-alerts.ts';
import { listPages } from './list-pages.ts';

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
    for await (const { response, isWhole } of listPages(http, '/1/user/-/irn/alerts/list.json', window, 10)) {
      const allOf = isWhole ? allMeasured('heart_rate_alert', window, context, Number.NEGATIVE_INFINITY, 'irregular_rhythm') : [];
      yield pageOf(response, { ...mapRhythmAlerts(response.body, window, context), allOf });
    }
  },
};
