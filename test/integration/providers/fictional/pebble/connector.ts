import type { Connector, PullSpec } from '@pulsewire/providers';

/** A fictional provider, as an outside contributor would write it: one call per seven days, and only steps. */
const stepsPull: PullSpec = {
  name: 'steps',
  resources: ['steps'],
  requiredScopes: ['steps'],
  chunkDays: 7,
  backfillDays: 21,
  rereadDays: 2,
  collections: ['steps'],
  async *pull({ http, window }) {
    const response = await http.get('/days', { from: window.startDate, to: window.endDate });
    const days = (response.body as { days: readonly { date: string; steps: number }[] }).days;
    yield {
      version: response.version,
      quarantined: [],
      records: [
        {
          kind: 'samples',
          resource: 'steps',
          source: { provider: 'pebble', type: 'watch' },
          samples: days.map(({ date, steps }) => {
            const ts = Date.parse(`${date}T00:00:00Z`);
            return { ts, end: ts + 86_400_000, value: steps, timezoneOffset: 0 };
          }),
        },
      ],
    };
  },
};

export const pebble: Connector = {
  slug: 'pebble',
  name: 'Pebble',
  description: 'A stone that counts steps',
  sourceId: 9001,
  authType: 'oauth',
  sourceKind: 'provider',
  endpoints: {
    apiBaseUrl: 'https://api.pebble.example',
    authorizeUrl: 'https://pebble.example/authorize',
    tokenUrl: 'https://api.pebble.example/token',
    revokeUrl: null,
  },
  oauth: { clientAuth: 'body', pkce: 'supported', scopeSeparator: ' ', scopes: ['steps'], refresh: 'rotates' },
  password: null,
  email: null,
  resources: { steps: { required: ['steps'], optional: [] } },
  backfillDays: 21,
  pulls: [stepsPull],
  push: null,
  quotas: [],
  async account({ http }) {
    const { body } = await http.get('/me');
    return { providerUserId: (body as { id: string }).id, account: { time_zone: 'UTC' } };
  },
  classify: ({ status }) => ({ code: status >= 500 ? 'provider_transient' : 'provider_permanent' }),
};
