import { sleep, uuidToBase62 } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { ApiClient } from '../harness/api-client.ts';
import type { Pipeline } from '../harness/pipeline.ts';
import { Witness } from '../harness/witness.ts';

const types = ['daily.data.activity.created', 'daily.data.activity.updated'];
const pauseMs = 250;
const triesMax = 60;
const replayedMaxMs = 120_000;

/** What clients do through the API under a fault, and the required outcome. */
export interface ApiCalls {
  /** Resolves when the request in progress has succeeded after the signal was aborted. */
  readonly ended: Promise<void>;
  /** Resolves when no replay is running. */
  replayed(): Promise<void>;
  judge(): Promise<{
    readonly figures: Readonly<Record<string, number | string>>;
    readonly problems: readonly (readonly [string, boolean])[];
  }>;
  close(): Promise<void>;
}

interface Registered {
  readonly url: string;
  readonly witness: Witness;
}

/**
 * Repeatedly registers an endpoint, requests a replay of everything to it, and links an account. A failed request is
 * repeated, as by a client, after checking whether it was executed nevertheless.
 */
export function callApi(options: {
  readonly pipeline: Pipeline;
  readonly api: ApiClient;
  readonly judge: Database;
  readonly seconds: number;
  readonly signal: AbortSignal;
}): ApiCalls {
  const { pipeline, api, judge, signal } = options;
  const registered: Registered[] = [];
  const linked: string[] = [];
  let failures = 0;

  async function insist(name: string, request: () => Promise<unknown>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await request();
        return;
      } catch (error) {
        failures += 1;
        if (tries < triesMax) await sleep(pauseMs);
        else throw new Error(`${name} failed ${triesMax} times`, { cause: error });
      }
    }
  }

  async function register(): Promise<void> {
    const witness = new Witness();
    const url = await witness.listen();
    registered.push({ url, witness });
    let id: string | undefined;
    await insist('register', async () => {
      const { data } = await api.ask<{ data: readonly { id: string; url: string }[] }>('GET', '/v2/team/webhook?limit=100');
      id = data.find((one) => one.url === url)?.id;
      id ??= (await api.ask<{ id: string }>('POST', '/v2/team/webhook', { url, filter_types: types })).id;
    });
    // 409: a replay of this endpoint is running, so an earlier request created it. It may have ended already, so that is checked first.
    await insist('replay', async () => {
      const made = await api.ask<{ data: readonly unknown[] }>('GET', `/v2/team/webhook/${id}/replay`);
      if (made.data.length > 0) return;
      await api.ask('POST', `/v2/team/webhook/${id}/replay`, { since: '2020-01-01T00:00:00Z', selection: 'all' }, [409]);
    });
  }

  async function work(): Promise<void> {
    const everyMs = (options.seconds * 1000) / (pipeline.accounts.length + 1);
    for (const account of pipeline.accounts) {
      if (signal.aborted) return;
      if (registered.length < pipeline.accounts.length) await register();
      await insist('link', () => pipeline.linkAccount(account));
      linked.push(account);
      pipeline.publish();
      await sleep(everyMs, signal);
    }
  }

  const ended = work();
  // A failure is reported to the later waiter; until then it must not count as unhandled.
  ended.catch(() => {});
  return {
    ended,
    async replayed() {
      for (let waitedMs = 0; waitedMs < replayedMaxMs; waitedMs += 200) {
        const running = await judge.sql`SELECT FROM webhook_replays WHERE status = 'running' LIMIT 1`;
        if (running.length === 0) return;
        await sleep(200);
      }
    },
    async judge() {
      const urls = registered.map(({ url }) => url);
      const endpoints = await judge.sql<{ url: string; replays: number; is_completed: boolean }[]>`
        SELECT e.url, count(r.replay_id)::int AS replays, bool_and(r.status = 'completed') AS is_completed
        FROM webhook_endpoints e LEFT JOIN webhook_replays r USING (endpoint_id) WHERE e.url = ANY(${urls}) GROUP BY e.endpoint_id, e.url`;
      const connections = await judge.sql<{ name: string; count: number; is_connected: boolean }[]>`
        SELECT u.client_user_id AS name, count(*)::int AS count, bool_and(c.status = 'connected') AS is_connected
        FROM users u JOIN connections c USING (user_id) WHERE u.client_user_id = ANY(${linked}) GROUP BY u.client_user_id`;
      const events = await judge.sql<{ event_id: string }[]>`SELECT event_id FROM log_events WHERE event_type = ANY(${types})`;
      const ids = events.map((event) => `msg_${uuidToBase62(event.event_id)}`);
      const lost = registered.map(({ witness }) => ids.filter((id) => !witness.sightings.has(id)).length);
      const isOnce = new Set(endpoints.map(({ url }) => url)).size === urls.length && endpoints.length === urls.length;
      return {
        figures: {
          'requests to the API that failed and were repeated': failures,
          'endpoints registered, each with a replay': endpoints.length,
          'events of those endpoints, at each': ids.length,
          'lost there': lost.reduce((sum, count) => sum + count, 0),
          'accounts linked': connections.length,
        },
        problems: [
          ['endpoints missing or made twice', !isOnce],
          ['replays missing, made twice or not completed', !endpoints.every((one) => one.replays === 1 && one.is_completed)],
          ['events lost at registered endpoints', lost.some((count) => count > 0)],
          [
            'connections missing, made twice or broken',
            connections.length !== linked.length || !connections.every((one) => one.count === 1 && one.is_connected),
          ],
          ['nothing was asked of the API', registered.length === 0 || linked.length === 0],
        ],
      };
    },
    async close() {
      await Promise.all(registered.map(({ witness }) => witness.close()));
    },
  };
}
