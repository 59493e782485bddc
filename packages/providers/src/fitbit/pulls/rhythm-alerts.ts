import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types.ts';
import { createMapContext, pageOf } from '../map-context.ts';
import { mapRhythmAlerts } from '../map-rhythm-alerts.ts';
import { listPages } from './list-pages.ts';

export const rhythmAlertsPull: PullSpec = {
  name: 'rhythm-alerts',
  resources: ['heart_rate_alert'],
  requiredScopes: ['irregular_rhythm_notifications'],
  chunkDays: 90,
  backfillDays: 90,
  reachDays: historyDaysMax,
  // An alert is listed once the user has looked at it, which may be days later.
  rereadDays: 7,
  collections: [],
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    for await (const answer of listPages(http, '/1/user/-/irn/alerts/list.json', window, 10)) {
      yield pageOf(answer, mapRhythmAlerts(answer.body, window, context));
    }
  },
};
