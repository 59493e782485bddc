import { sleep } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { pulled } from '../campaign.ts';
import { createApiClient } from '../harness/api-client.ts';
import { createPipeline } from '../harness/pipeline.ts';
import { callApi, type ApiCalls } from './api-calls.ts';
import { createLoad, extend } from './load.ts';
import { withServer } from './own-server.ts';
import type { Scenario } from './scenario.ts';

const accounts = 6;
/** How long the name leads to the old primary, which can only be read, and how long it then works. */
const oldPrimaryMs = 6000;
const workingMs = 12_000;

/**
 * A failover as clients see it, on one server: every connection is cut, and for some seconds new ones reach a server that only reads. The
 * judge's own sessions stay as they are.
 */
async function failOver({ sql, url }: Database): Promise<number> {
  const name = new URL(url).pathname.slice(1);
  const cut = () => sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'fault-judge'`;
  await sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const { count } = await cut();
  await sleep(oldPrimaryMs);
  await sql.unsafe(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  return count;
}

export const readOnlyPrimary: Scenario = {
  name: 'read-only-primary',
  summary: 'all connections are cut repeatedly, and for six seconds the address leads to a server that can only be read',
  run: (options) =>
    withServer(async (url, judge) => {
      const load = await createLoad({ ...options, url, judge, isSandbox: true, services: [] });
      const pipeline = await createPipeline({ env: load.env, apiKey: load.apiKey, accounts });
      load.add(pipeline.children);
      const ending = new AbortController();
      let calls: ApiCalls | undefined;
      let [failovers, cut] = [0, 0];
      try {
        load.start();
        await Promise.all([load.arriving(), pipeline.ready()]);
        calls = callApi({ pipeline, judge, api: createApiClient(pipeline.baseUrl, load.apiKey), signal: ending.signal, ...options });
        const end = performance.now() + options.seconds * 1000;
        while (performance.now() < end) {
          cut += await failOver(judge);
          failovers += 1;
          options.report(`${failovers} failovers; ${load.witness.sightings.size} messages so far`);
          await sleep(workingMs);
        }
        ending.abort();
        await calls.ended;
        await pulled(judge);
        for (const child of pipeline.children) await child.stop();
        await calls.replayed();
        // Nobody can record or renew a lease for six seconds.
        const result = await load.finish({ recordsLate: true });
        const judged = await calls.judge();
        return extend(result, { failovers, 'connections cut': cut, ...judged.figures }, [
          ['nothing was cut', cut === 0],
          ...judged.problems,
        ]);
      } finally {
        ending.abort();
        await calls?.ended.catch(() => {});
        await load.close();
        await calls?.close();
        await pipeline.close();
      }
    }),
};
