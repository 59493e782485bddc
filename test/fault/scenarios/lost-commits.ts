import { sleep } from '@pulsewire/kernel';
import { startCommitCutter } from '../../support/commit-cutter.ts';
import { createApiClient } from '../harness/api-client.ts';
import { pulled } from '../campaign.ts';
import { createRandom } from '../harness/random.ts';
import { createPipeline, type Pipeline } from '../harness/pipeline.ts';
import { callApi, type ApiCalls } from './api-calls.ts';
import { createLoad, extend, type Load } from './load.ts';
import { withServer } from './own-server.ts';
import type { Scenario } from './scenario.ts';

/** One response to a COMMIT in this many is lost. */
const every = 6;
const accounts = 6;

/** The processes between the provider and the log, and the clients of the API. */
async function addPipeline(load: Load): Promise<Pipeline> {
  const pipeline = await createPipeline({ env: load.env, apiKey: load.apiKey, accounts });
  load.add(pipeline.children);
  return pipeline;
}

export const lostCommits: Scenario = {
  name: 'lost-commits',
  summary: 'one response to a COMMIT in six is lost, for all processes',
  run: (options) =>
    withServer(async (url, judge) => {
      const way = await startCommitCutter(url);
      const load = await createLoad({ ...options, url: way.url, judge, isSandbox: true, services: options.isShort ? ['scheduler 1'] : [] });
      const pipeline = options.isShort ? undefined : await addPipeline(load);
      const ending = new AbortController();
      let calls: ApiCalls | undefined;
      try {
        load.start();
        await Promise.all([load.arriving(), pipeline?.ready()]);
        const random = createRandom(options.seed);
        way.loses = () => random() < 1 / every;
        if (pipeline)
          calls = callApi({ pipeline, judge, api: createApiClient(pipeline.baseUrl, load.apiKey), signal: ending.signal, ...options });
        await sleep(options.seconds * 1000);
        ending.abort();
        await calls?.ended;
        way.loses = () => false;
        options.report(`${way.lost} of ${way.commits} responses lost; ${load.witness.sightings.size} messages so far`);
        if (pipeline) {
          await pulled(judge);
          for (const child of pipeline.children) await child.stop();
        }
        await calls?.replayed();
        const result = await load.finish();
        const judged = await calls?.judge();
        return extend(result, { COMMITs: way.commits, 'responses lost': way.lost, ...judged?.figures }, [
          ['no response was lost', way.lost === 0],
          ...(judged?.problems ?? []),
        ]);
      } finally {
        ending.abort();
        await calls?.ended.catch(() => {});
        await load.close();
        await calls?.close();
        await pipeline?.close();
        await way.close();
      }
    }),
};
