import { sleep } from '@pulsewire/kernel';
import { childPids, isRunning } from '../../support/child-pids.ts';
import { pulled } from '../campaign.ts';
import { createApiClient } from '../harness/api-client.ts';
import type { Child } from '../harness/child.ts';
import { createPipeline, type Pipeline } from '../harness/pipeline.ts';
import { createRandom } from '../harness/random.ts';
import { callApi, type ApiCalls } from './api-calls.ts';
import { createLoad, extend, type Load } from './load.ts';
import { withServer } from './own-server.ts';
import type { Scenario } from './scenario.ts';

const betweenMs = 2500;
/** Longer than the parent waits before it kills a silent worker, also one that has not started. */
const replacedMaxMs = 90_000;
/** Most workers have started by then. */
const agedMs = 5000;
const endedMaxMs = 5000;
const settings = { WORKERS: '2', WORKER_SILENCE_MAX_MS: '3000' };

interface Blows {
  killed: number;
  frozen: number;
  parents: number;
  /** Workers that outlived their parent. */
  orphans: number;
}

interface Marks {
  readonly frozen: Set<number>;
  /** When each worker was first seen. */
  readonly seen: Map<number, number>;
}

async function waitUntil(isDone: () => boolean, maxMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < maxMs; waitedMs += 100) {
    if (isDone()) return true;
    await sleep(100);
  }
  return isDone();
}

/** Kills or freezes one worker of a service, or kills its parent; false while the service has not started its workers. */
async function strike(service: Child, blows: Blows, random: () => number, { frozen, seen }: Marks): Promise<boolean> {
  const workers = childPids(service.pid);
  for (const pid of workers) if (!seen.has(pid)) seen.set(pid, performance.now());
  const victim = workers[Math.floor(random() * workers.length)];
  const areAged = workers.every((pid) => performance.now() - (seen.get(pid) ?? 0) >= agedMs);
  if (victim === undefined || workers.length < 2 || !areAged) return false;
  const next = (blows.killed + blows.frozen + blows.parents) % 3;
  if (next === 0) {
    process.kill(victim, 'SIGKILL');
    blows.killed += 1;
  } else if (next === 1) {
    process.kill(victim, 'SIGSTOP');
    frozen.add(victim);
    blows.frozen += 1;
  } else {
    // A frozen worker cannot notice that its parent ended.
    for (const pid of workers) if (frozen.has(pid)) process.kill(pid, 'SIGKILL');
    await service.crash();
    blows.parents += 1;
    await waitUntil(() => !workers.some(isRunning), endedMaxMs);
    blows.orphans += workers.filter(isRunning).length;
  }
  return true;
}

export const killedWorkers: Scenario = {
  name: 'killed-workers',
  summary: 'services run in worker processes: one is killed or frozen, or its parent is killed',
  run: (options) =>
    withServer(async (url, judge) => {
      const load: Load = await createLoad({
        ...options,
        url,
        judge,
        env: settings,
        isSandbox: true,
        services: options.isShort ? ['scheduler 1'] : [],
      });
      const pipeline: Pipeline | undefined = options.isShort
        ? undefined
        : await createPipeline({ env: load.env, apiKey: load.apiKey, accounts: 6 });
      if (pipeline) load.add(pipeline.children);
      const scaled = [...load.dispatchers, ...(pipeline?.children.filter(({ name }) => name !== 'scheduler') ?? [])];
      const blows: Blows = { killed: 0, frozen: 0, parents: 0, orphans: 0 };
      const frozen = new Set<number>();
      const marks: Marks = { frozen, seen: new Map() };
      const ending = new AbortController();
      let calls: ApiCalls | undefined;
      try {
        load.start();
        await Promise.all([load.arriving(), pipeline?.ready()]);
        if (pipeline)
          calls = callApi({ pipeline, judge, api: createApiClient(pipeline.baseUrl, load.apiKey), signal: ending.signal, ...options });
        const random = createRandom(options.seed);
        const endMs = performance.now() + options.seconds * 1000;
        for (let turn = 0; performance.now() < endMs || blows.parents === 0; turn++) {
          const service = scaled[turn % scaled.length];
          if (service && (await strike(service, blows, random, marks)))
            options.report(`${service.name}: ${JSON.stringify(blows)}; ${load.witness.sightings.size} messages so far`);
          await sleep(betweenMs * (0.4 + 0.6 * random()));
        }
        ending.abort();
        await calls?.ended;
        const areReplaced = await waitUntil(() => ![...frozen].some(isRunning), replacedMaxMs);
        if (pipeline) {
          await pulled(judge);
          for (const child of pipeline.children) await child.stop();
        }
        await calls?.replayed();
        const result = await load.finish();
        const judged = await calls?.judge();
        return extend(
          result,
          {
            'workers killed': blows.killed,
            'workers frozen': blows.frozen,
            'parents killed': blows.parents,
            'workers that outlived their parent': blows.orphans,
            ...judged?.figures,
          },
          [
            ['workers outlived their parent', blows.orphans > 0],
            ['a frozen worker was not replaced', !areReplaced],
            ['no worker was killed or frozen', blows.killed === 0 || blows.frozen === 0],
            ...(judged?.problems ?? []),
          ],
        );
      } finally {
        ending.abort();
        await calls?.ended.catch(() => {});
        for (const pid of frozen) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
        await load.close();
        await calls?.close();
        await pipeline?.close();
      }
    }),
};
