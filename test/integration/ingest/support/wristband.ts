import { AppError } from '@pulsewire/kernel';
import {
  eachDay,
  providerError,
  type Connector,
  type ProviderSend,
  type PullSpec,
  type PullWindow,
  type PushNotice,
} from '@pulsewire/providers';

/** A request that the fictional provider received. */
export interface WristbandCall {
  readonly path: string;
  readonly accessToken: string;
  readonly day: string;
}

/**
 * A fictional provider behind the kit's interface: one response per day and pull, with values and failures that a test sets.
 * Shows how ingest treats a provider, without the peculiarities of a real one.
 */
export interface Wristband {
  readonly connector: Connector;
  readonly calls: WristbandCall[];
  /** Value of a day; a test changes it to simulate a revision. */
  valueOf(pull: string, day: string): number;
  setValue(pull: string, day: string, value: number): void;
  /** Called before each response; throws to fail it. */
  onCall: (call: WristbandCall) => void | Promise<void>;
  readonly subscriptions: string[];
  send(accessToken: string, drawVersion: () => Promise<bigint>): ProviderSend;
}

const dayMs = 86_400_000;

function pullSpec(
  options: Pick<PullSpec, 'name' | 'resources' | 'chunkDays' | 'backfillDays' | 'reachDays' | 'collections'> & { readonly scope: string },
): PullSpec {
  const { scope, ...rest } = options;
  return {
    ...rest,
    requiredScopes: [scope],
    rereadDays: 2,
    async *pull({ http, window }) {
      for (const day of eachDay(window)) {
        const response = await http.get(`/${options.name}/${day}`);
        const { value } = response.body as { value: number };
        const startMs = Date.parse(`${day}T00:00:00Z`);
        const isBad = value < 0;
        yield {
          version: response.version,
          quarantined: isBad ? [{ resource: rest.resources[0] ?? '', reason: 'bad_number', pointer: `/${day}` }] : [],
          records: rest.resources.map((resource) => ({
            kind: 'samples' as const,
            resource,
            source: { provider: 'wristband', type: 'watch' },
            samples: isBad
              ? []
              : [0, 1, 2].map((hour) => ({
                  ts: startMs + hour * 3_600_000,
                  end: startMs + hour * 3_600_000 + 60_000,
                  value,
                  timezoneOffset: 0,
                })),
          })),
        };
      }
    },
  };
}

interface PushedNotice {
  readonly user: string;
  readonly collection?: string;
  readonly day?: string;
}

function toNotice({ user, collection, day }: Partial<PushedNotice>): PushNotice | null {
  if (user === undefined) return null;
  if (collection === undefined || day === undefined) return { kind: 'revoked', providerUserId: user };
  const window: PullWindow = { startDate: day, endDate: day };
  return { kind: 'changed', providerUserId: user, collection, window };
}

export function createWristband(): Wristband {
  const values = new Map<string, number>();
  const wristband: Wristband = {
    calls: [],
    subscriptions: [],
    onCall: () => {},
    valueOf: (pull, day) => values.get(`${pull} ${day}`) ?? (Date.parse(day) / dayMs) % 1000,
    setValue: (pull, day, value) => void values.set(`${pull} ${day}`, value),
    send(accessToken, drawVersion) {
      const response = async (body: unknown) => ({ status: 200, headers: {}, body, bytes: Buffer.alloc(0), version: await drawVersion() });
      return async (method, path) => {
        const [, pull = '', day = ''] = path.split('/');
        if (method === 'GET') {
          const call = { path, accessToken, day };
          wristband.calls.push(call);
          await wristband.onCall(call);
          return response({ value: wristband.valueOf(pull, day) });
        }
        if (method === 'POST') {
          await wristband.onCall({ path, accessToken, day: '' });
          wristband.subscriptions.push(path);
        }
        return response(undefined);
      };
    },
    connector: {
      slug: 'wristband',
      name: 'Wristband',
      description: 'Fictional',
      sourceId: 9999,
      authType: 'oauth',
      sourceKind: 'device',
      password: null,
      email: null,
      endpoints: { apiBaseUrl: 'https://wristband.example', authorizeUrl: '', tokenUrl: '', revokeUrl: null },
      oauth: { clientAuth: 'basic', pkce: 'none', scopeSeparator: ' ', scopes: ['move', 'scale'], refresh: 'rotates' },
      resources: {
        steps: { required: ['move'], optional: [] },
        distance: { required: ['move'], optional: [] },
        weight: { required: ['scale'], optional: [] },
      },
      backfillDays: 30,
      quotas: [],
      pulls: [
        pullSpec({
          name: 'moves',
          resources: ['steps', 'distance'],
          chunkDays: 4,
          backfillDays: 10,
          reachDays: 15,
          collections: ['activity'],
          scope: 'move',
        }),
        pullSpec({ name: 'scales', resources: ['weight'], chunkDays: 30, backfillDays: 20, collections: ['body'], scope: 'scale' }),
      ],
      push: {
        isSigned: true,
        bodyBytesMax: 4_000_000,
        acceptedStatus: 204,
        rejectedStatus: 404,
        handshake: ({ query }, { verificationCode }) =>
          query['verify'] === undefined ? null : { status: query['verify'] === verificationCode ? 204 : 404, body: '' },
        verify: ({ headers }, { application }) => headers['x-signature'] === application.clientSecret,
        parse({ body }) {
          try {
            const items = (JSON.parse(body.toString()) as Partial<PushedNotice>[]).map(toNotice);
            const notices = items.filter((notice) => notice !== null);
            const unreadable = items.flatMap((item, index) => (item ? [] : [{ reason: 'missing_field', pointer: `/${index}/user` }]));
            return { notices, unreadable };
          } catch (cause) {
            throw new AppError({ code: 'push_unreadable', kind: 'invalid', message: 'Not a list of notices', cause });
          }
        },
        async subscribe({ http, subscriptionId }) {
          await http.post(`/subscriptions/${subscriptionId}`);
        },
        async unsubscribe({ http, subscriptionId }) {
          await http.delete(`/subscriptions/${subscriptionId}`);
        },
      },
      account: async () => ({ providerUserId: null, account: {} }),
      classify: () => ({ code: 'provider_transient' }),
    },
  };
  return wristband;
}

export const rateLimited = (retryAfterMs: number) => providerError('provider_rate_limited', { status: 429 }, retryAfterMs);
export { providerError };
