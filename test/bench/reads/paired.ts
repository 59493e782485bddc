import { Agent, request } from 'undici';
import type { Api } from '@pulsewire/service-api';
import { postgresCpuMs } from '../delivery/harness/usage.ts';
import { median, perSecond, type Line } from '../report.ts';
import { summaries, type ReadBench } from './open-bench.ts';

const concurrency = 16;

/** An API to read from, and how to wait for the work that continues after its responses. */
export interface Side {
  readonly api: Api;
  settle?(): Promise<void>;
}

export interface PairedOptions {
  readonly with: Side;
  readonly without: Side;
  readonly rounds: number;
  readonly roundMs: number;
}

interface Round {
  readonly done: number;
  /** CPU of this process (API and client) and of Postgres for one read, µs. */
  readonly cpuUs: number;
}

async function countRequests(agent: Agent, url: string, key: string, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let done = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < end) {
        const { statusCode, body } = await request(url, { dispatcher: agent, headers: { 'x-service-api-key': key } });
        await body.dump();
        if (statusCode !== 200) throw new Error(`The read answered ${statusCode}`);
        done += 1;
      }
    }),
  );
  return done;
}

/**
 * Reads from both APIs of one process alternately, each first every other time, so that a slowdown of the machine affects both. Returns the
 * median of the ratios of the pairs, and the same for CPU, which other processes on the machine disturb less, and the number of reads with
 * `with`.
 */
export async function compareReads(
  bench: ReadBench,
  options: PairedOptions,
  what: string,
): Promise<{ readonly lines: readonly Line[]; readonly requests: number }> {
  const agent = new Agent({ connections: concurrency });
  const names = ['with', 'without'] as const;
  const rounds: Record<'with' | 'without', Round[]> = { with: [], without: [] };
  const addresses = { with: (await options.with.api.listen()).url, without: (await options.without.api.listen()).url };
  let requests = 0;
  const once = async (side: 'with' | 'without', ms: number): Promise<Round> => {
    const own = process.cpuUsage();
    const postgresMs = postgresCpuMs(bench.postmasterPid);
    const done = await countRequests(agent, addresses[side] + bench.path, bench.key, ms);
    await options[side].settle?.();
    const { user, system } = process.cpuUsage(own);
    if (side === 'with') requests += done;
    return { done, cpuUs: (user + system + (postgresCpuMs(bench.postmasterPid) - postgresMs) * 1000) / done };
  };
  try {
    // A process that has just started is slow until its code is compiled.
    for (const side of names) await once(side, 3000);
    for (let round = 0; round < options.rounds; round++)
      for (const side of round % 2 === 0 ? names : names.toReversed()) rounds[side].push(await once(side, options.roundMs));
  } finally {
    await agent.close();
  }
  const ratioOf = (pick: (round: Round) => number) =>
    median(rounds.with.map((round, index) => pick(round) / pick(rounds.without[index] as Round)));
  const medianOf = (side: 'with' | 'without', pick: (round: Round) => number) => median(rounds[side].map(pick));
  return {
    requests,
    lines: [
      {
        what: `reads of ${summaries} summaries ${what}`,
        figure: perSecond(
          medianOf('with', ({ done }) => done),
          options.roundMs,
        ),
        against: `without ${perSecond(
          medianOf('without', ({ done }) => done),
          options.roundMs,
        )}`,
        ratio: ratioOf(({ done }) => done),
        aim: 'at least 0.97',
      },
      {
        what: `CPU of a read ${what}, client and Postgres included`,
        figure: `${Math.round(medianOf('with', ({ cpuUs }) => cpuUs))} µs`,
        against: `without ${Math.round(medianOf('without', ({ cpuUs }) => cpuUs))} µs`,
        ratio: ratioOf(({ cpuUs }) => cpuUs),
        aim: 'at most 1.03',
      },
    ],
  };
}
