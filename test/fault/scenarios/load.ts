import { randomBytes } from 'node:crypto';
import { sleep } from '@pulsewire/kernel';
import { openDatabase, type Database } from '@pulsewire/database';
import { program } from '../../support/programs/program.ts';
import { drained, prepare, seenBy } from '../campaign.ts';
import { Child } from '../harness/child.ts';
import { describeRepeats, readCommitted } from '../harness/compare.ts';
import { countOrderFaults } from '../harness/order.ts';
import { createRandom } from '../harness/random.ts';
import { Witness } from '../harness/witness.ts';
import type { ScenarioOptions, ScenarioResult } from './scenario.ts';

const startMaxMs = 180_000;
type Service = 'api' | 'dispatcher' | 'relay' | 'scheduler';
type ServiceName = Service | `${Service} ${number}`;

/** Processes under load, with two receivers: one without order, and one with `per_user` order. */
export interface Load {
  readonly children: readonly Child[];
  readonly dispatchers: readonly Child[];
  readonly witness: Witness;
  readonly ordered: Witness;
  readonly teamId: string;
  readonly apiKey: string;
  readonly env: Readonly<Record<string, string>>;
  /** Adds processes; call it before `start`. */
  add(more: readonly Child[]): void;
  /** Starts the processes of `services` and the writer. */
  start(): void;
  /** Resolves at the first deliveries: processes start slowly on a slow machine. */
  arriving(): Promise<void>;
  /** Ends the load, waits until everything was delivered and judges the result. `JudgeOptions` states what the fault itself explains. */
  finish(options?: JudgeOptions): Promise<ScenarioResult>;
  close(): Promise<void>;
}

/** What the fault of a scenario itself explains. */
export interface JudgeOptions {
  /** False: the state rebuilt from the deliveries cannot equal the stored one. */
  readonly comparesRows?: boolean;
  /** Deliveries of events that are not committed. */
  readonly unknownMax?: number;
  /** Attempts during or after another attempt with a recorded response. */
  readonly repeatsMax?: number;
  /** True: responses cannot be recorded for longer than a lease, so that another dispatcher repeats the attempt before they are. */
  readonly recordsLate?: boolean;
}

export interface LoadOptions extends ScenarioOptions {
  /** URL with which the processes reach Postgres. */
  readonly url: string;
  /** The judge's own connection, which the fault must not affect. */
  readonly judge: Database;
  /** Further environment variables of all processes. */
  readonly env?: Readonly<Record<string, string>>;
  /** A sandbox team may register receivers without TLS. */
  readonly isSandbox?: boolean;
  /** Further services, with a number if there are several. */
  readonly services?: readonly ServiceName[];
}

/** Prepares the database and describes the processes: two dispatchers, the requested services, and the writer. */
export async function createLoad({ url, judge, seed, pauseMs, report, ...options }: LoadOptions): Promise<Load> {
  const witness = new Witness(createRandom(seed + 1));
  const ordered = new Witness(createRandom(seed + 2));
  const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
  const { teamId, apiKey, endpointIds } = await prepare(judge, [witness, ordered], encryptionKeys, undefined, options.isSandbox);
  const env = {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: encryptionKeys,
    HEALTH_PORT: '0',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...options.env,
  };
  const serviceOf = (name: ServiceName) => name.split(' ')[0] as Service;
  const child = (name: ServiceName) => new Child({ name, file: program(`services/${serviceOf(name)}/src/main.ts`), env });
  const dispatchers = (['dispatcher 1', 'dispatcher 2'] as const).map(child);
  const others = (options.services ?? []).map(child);
  const writer = new Child({
    name: 'writer',
    file: program('test/fault/harness/writer.ts'),
    args: (life) => [url, teamId, String(seed), String(pauseMs), String(life)],
    env: options.env ?? {},
  });
  const children = [...dispatchers, ...others, writer];
  for (const one of [witness, ordered]) one.refuseShare = 0.01;
  return {
    children,
    dispatchers,
    witness,
    ordered,
    teamId,
    apiKey,
    env,
    add(more) {
      children.push(...more);
    },
    start() {
      for (const one of children) one.start();
    },
    async arriving() {
      for (let waitedMs = 0; witness.sightings.size < 20 || ordered.sightings.size < 20; waitedMs += 100) {
        if (waitedMs > startMaxMs) throw new Error('Nothing was delivered within three minutes of the start');
        await sleep(100);
      }
    },
    async finish({ comparesRows = true, unknownMax = 0, repeatsMax = 0, recordsLate = false } = {}) {
      await writer.stop();
      const startMs = performance.now();
      const isDrained = await drained(judge);
      const drainS = (performance.now() - startMs) / 1000;
      if (!isDrained) for (const one of children) if (one.errors !== '') report(`${one.name}: ${one.errors.slice(-1500)}`);
      const [plain, inOrder] = [await seenBy(judge, witness, endpointIds[0]), await seenBy(judge, ordered, endpointIds[1])];
      const deaths = children.flatMap(({ ends }) => ends);
      for (const { name, end, lastWords } of deaths) report(`${name} ended by itself, ${end}: ${lastWords.slice(-800)}`);
      const committed = await readCommitted(judge);
      const order = countOrderFaults(ordered.arrivals, (id) => committed.has(id));
      const sum = (pick: (seen: typeof plain) => number) => pick(plain) + pick(inOrder);
      const late = sum(({ repeats }) => repeats.recordedLate);
      const repeated = sum(({ repeats }) => repeats.recordedTwice) - (recordsLate ? late : 0);
      if (repeated > repeatsMax) for (const line of await describeRepeats(judge)) report(line);
      const unknown = sum((seen) => seen.unknown);
      const checks: readonly (readonly [string, boolean])[] = [
        ['not drained', !isDrained],
        ['events lost', sum(({ lost }) => lost) > 0],
        ['nothing was committed', plain.committed === 0],
        ['deliveries of nothing committed', unknown > unknownMax],
        ['wrong signatures', sum(({ badSignatures }) => badSignatures) > 0],
        ['repeats with another body', sum(({ changedBodies }) => changedBodies) > 0],
        ['repeats after a recorded answer', repeated > repeatsMax],
        ['order per user broken', order.disorder + order.overtaken > 0],
        ['rows differ from the deliveries', comparesRows && sum(({ differingRows }) => differingRows) > 0],
        ['processes ended by themselves', deaths.length > 0],
      ];
      return {
        committed: plain.committed,
        lost: sum(({ lost }) => lost),
        figures: {
          'deliveries of nothing committed': unknown,
          'repeated after a response that was never recorded': sum(({ repeats }) => repeats.unrecorded),
          'repeated before the response was recorded, which happened later': late,
          'repeated after a recorded answer': sum(({ repeats }) => repeats.recordedTwice) - late,
          'per_user out of order or overtaken': order.disorder + order.overtaken,
          'wrong signatures': sum(({ badSignatures }) => badSignatures),
          'repeats with another body': sum(({ changedBodies }) => changedBodies),
          ...(comparesRows && { 'rows that differ': `${sum(({ differingRows }) => differingRows)} of ${plain.rows}` }),
          'ended by themselves': deaths.length,
          'drained in': isDrained ? `${drainS.toFixed(1)} s` : 'NOT',
        },
        problems: checks.filter(([, isBad]) => isBad).map(([problem]) => problem),
      };
    },
    async close() {
      await Promise.all(children.map((one) => one.stop()));
      await Promise.all([witness.close(), ordered.close()]);
    },
  };
}

/** Adds figures and requirements to a result. */
export function extend(
  result: ScenarioResult,
  figures: Readonly<Record<string, number | string>>,
  problems: readonly (readonly [string, boolean])[] = [],
): ScenarioResult {
  const more = problems.filter(([, isBad]) => isBad).map(([problem]) => problem);
  return { ...result, figures: { ...figures, ...result.figures }, problems: [...result.problems, ...more] };
}

export function openJudge(url: string): Database {
  return openDatabase({ url, name: 'fault-judge', connectionsMax: 3 });
}
