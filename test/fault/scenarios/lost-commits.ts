import { sleep } from '@pulsewire/kernel';
import { startCommitCutter } from '../../support/commit-cutter.ts';
import { createRandom } from '../random.ts';
import { createLoad, extend } from './load.ts';
import { withServer } from './own-server.ts';
import type { Scenario } from './scenario.ts';

/** One COMMIT in so many. */
const every = 6;

export const lostCommits: Scenario = {
  name: 'lost-commits',
  summary: 'one response to a COMMIT in six is lost, for dispatchers, scheduler and writer',
  run: (options) =>
    withServer(async (url, judge) => {
      const way = await startCommitCutter(url);
      const load = await createLoad({ ...options, url: way.url, judge, services: ['scheduler 1'] });
      try {
        load.start();
        await load.arriving();
        const random = createRandom(options.seed);
        way.loses = () => random() < 1 / every;
        await sleep(options.seconds * 1000);
        way.loses = () => false;
        options.report(`${way.lost} of ${way.commits} responses lost; ${load.witness.sightings.size} messages so far`);
        const result = await load.finish();
        return extend(result, { COMMITs: way.commits, 'responses lost': way.lost }, [['no response was lost', way.lost === 0]]);
      } finally {
        await load.close();
        await way.close();
      }
    }),
};
