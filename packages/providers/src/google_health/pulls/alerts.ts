import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints } from '../data-points.ts';
import { createContext, googleScopes } from '../google-health.ts';
import { mapAlerts } from '../mappers/map-alerts.ts';

export const alertsPull: PullSpec = {
  name: 'irregular-rhythm-notification',
  resources: ['heart_rate_alert'],
  requiredScopes: [googleScopes.rhythm],
  chunkDays: 30,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 3,
  collections: [],
  deletions: { unseen: 'An alert that was raised stays raised.' },
  async *pull({ http, user, window }) {
    for await (const response of readPoints(http, { type: 'irregular-rhythm-notification', kind: 'session', window }))
      yield { version: response.version, ...mapAlerts(response.body, createContext(user)) };
  },
};
