import { randomBytes } from 'node:crypto';
import { mkdtemp, chmod, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { sleep, systemClock } from '@pulsewire/kernel';
import { createApiKey, createTeam } from '@pulsewire/connections';
import { createCipher, openDatabase, parseCipherKeys, startEmbeddedServer, type Database, type EmbeddedServer } from '@pulsewire/database';
import { prepareDatabase } from '../support/test-server.ts';
import { maintainLog, readLag } from '@pulsewire/eventlog';
import { attemptOutcomes, createEndpoint, getSecret } from '@pulsewire/webhooks';
import { program } from '../support/programs/program.ts';
import { Child, type Death } from './harness/child.ts';
import { compare, type Comparison } from './harness/compare.ts';
import { countOrderFaults, type OrderFaults } from './harness/order.ts';
import { createRandom } from './harness/random.ts';
import { createPipeline, type Pipeline } from './harness/pipeline.ts';
import { Witness } from './harness/witness.ts';

export interface CampaignOptions {
  /** Minimum duration of load and kills; a slow machine continues until every process was killed once. */
  readonly seconds: number;
  readonly seed: number;
  /** Longest time between two kills. */
  readonly killEveryMs: number;
  /** Pause of each writer between two writes, which sets the load. */
  readonly pauseMs: number;
  readonly report?: (line: string) => void;
  /** Ends the load early; results are still checked and everything is cleaned up. */
  readonly signal?: AbortSignal;
  /** URL of an external receiver, which also receives every event. */
  readonly sink?: string;
}

/** What one of our receivers received. */
export interface Sightings extends Comparison {
  readonly refusedOnce: number;
  readonly badSignatures: number;
  readonly changedBodies: number;
}

export interface CampaignResult extends Sightings {
  /** The receiver with `per_user` order: events that arrived after a later one, or before an earlier one was accepted. */
  readonly ordered: Sightings & OrderFaults;
  /** Events that the external receiver accepted, and those that it did not, by our records. */
  readonly sink: { readonly taken: number; readonly missing: number } | null;
  readonly kills: Readonly<Record<string, number>>;
  /** Processes that ended without being killed; we restart them, as an orchestrator would. */
  readonly deaths: readonly Death[];
  /** From the last kill until everything was delivered. */
  readonly drainMs: number;
  readonly isDrained: boolean;
}

const drainMaxMs = 120_000;
const pullMaxMs = 15_000;

/**
 * Runs real processes and a real Postgres under load and kills one of them at random intervals.
 * Afterwards every committed event must have been delivered, and the deliveries must add up to the stored data.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const report = options.report ?? (() => {});
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-faults-'));
  await chmod(folder, 0o755);
  const settings = { max_connections: '100', shared_buffers: '128MB' };
  let server: EmbeddedServer = await startEmbeddedServer({ dataDir: folder, settings });
  const url = await server.databaseUrl('faults');
  const database = openDatabase({ url, name: 'fault-judge', connectionsMax: 3 });
  const random = createRandom(options.seed);
  const witness = new Witness(createRandom(options.seed + 1));
  const ordered = new Witness(createRandom(options.seed + 2));
  const children: Child[] = [];
  const kills: Record<string, number> = {};
  let pipeline: Pipeline | undefined;
  try {
    const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
    const { teamId, apiKey, endpointIds } = await prepare(database, [witness, ordered], encryptionKeys, options.sink);
    const env = { DATABASE_URL: url, ENCRYPTION_KEYS: encryptionKeys, HEALTH_PORT: '0', LOG_LEVEL: 'warn', LOG_FORMAT: 'json' };
    for (const number of [1, 2]) {
      const dispatcherEnv = { ...env, WEBHOOK_ALLOWED_NETWORKS: options.sink === undefined ? '127.0.0.0/8' : '0.0.0.0/0,::/0' };
      children.push(new Child({ name: `dispatcher ${number}`, file: program('services/dispatcher/src/main.ts'), env: dispatcherEnv }));
    }
    pipeline = await createPipeline({ env, apiKey });
    children.push(...pipeline.children);
    const writerArgs = (life: number) => [url, teamId, String(options.seed), String(options.pauseMs), String(life)];
    children.push(new Child({ name: 'writer', file: program('test/fault/harness/writer.ts'), args: writerArgs }));
    for (const child of children) child.start();
    await pipeline.link();
    for (const one of [witness, ordered]) one.refuseShare = 0.01;

    const nextVictim = createVictimRotation();
    const endMs = performance.now() + options.seconds * 1000;
    for (;;) {
      await sleep(options.killEveryMs * (0.3 + 0.7 * random()), options.signal);
      const isEveryoneKilled = Object.keys(kills).length > children.length;
      if ((performance.now() >= endMs && isEveryoneKilled) || options.signal?.aborted) break;
      const victim = nextVictim(random, children.length + 1);
      const child = children[victim];
      if (child) {
        await child.crash();
      } else {
        process.kill(server.pid, 'SIGKILL');
        server = await startEmbeddedServer({ dataDir: folder, settings, port: server.port });
      }
      const name = child?.name ?? 'postgres';
      kills[name] = (kills[name] ?? 0) + 1;
      pipeline.publish();
      report(`killed ${name}; ${witness.sightings.size} messages so far`);
    }
    // Stop the sources first: the writer, then pushes and pulls.
    await children.at(-1)?.stop();
    await pulled(database);
    for (const child of pipeline.children) await child.stop();
    const drainStart = performance.now();
    const isDrained = await drained(database);
    const drainMs = performance.now() - drainStart;
    for (const child of children) if (child.errors !== '' && !isDrained) report(`${child.name}: ${child.errors}`);
    const [plainId, orderedId, sinkId] = endpointIds;
    return {
      ...(await seenBy(database, witness, plainId)),
      ordered: { ...(await seenBy(database, ordered, orderedId)), ...countOrderFaults(ordered.arrivals) },
      sink: sinkId === undefined ? null : await takenBySink(database, sinkId),
      kills,
      deaths: children.flatMap((child) => child.ends),
      drainMs,
      isDrained,
    };
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    await pipeline?.close();
    await database.close();
    await Promise.all([witness.close(), ordered.close()]);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(server.folder, { recursive: true, force: true });
  }
}

/** Picks in random order, each once before any is picked again. */
export function createVictimRotation(): (random: () => number, count: number) => number {
  let left: number[] = [];
  return (random, count) => {
    if (left.length === 0) left = Array.from({ length: count }, (_, index) => index);
    return left.splice(Math.floor(random() * left.length), 1)[0] ?? 0;
  };
}

/** Creates a team with an endpoint for each witness (the second with `per_user` order) and one for the external receiver. */
export async function prepare(
  database: Database,
  witnesses: readonly Witness[],
  encryptionKeys: string,
  sink: string | undefined,
  isSandbox = false,
): Promise<{ teamId: string; apiKey: string; endpointIds: readonly string[] }> {
  await prepareDatabase(database);
  await maintainLog(database, { today: new Date().toISOString().slice(0, 10), keepDays: 30 });
  const cipher = createCipher(parseCipherKeys(encryptionKeys));
  const team = await createTeam(database, systemClock, { name: 'faults', isSandbox });
  const { key: apiKey } = await createApiKey(database, systemClock, { team, label: 'faults' });
  const context = { database, cipher, clock: systemClock };
  const endpointIds: string[] = [];
  for (const witness of witnesses) {
    const { id } = await createEndpoint(context, team.teamId, { url: await witness.listen() });
    witness.verifier = new Webhook((await getSecret(context, team.teamId, id)).key);
    endpointIds.push(id);
  }
  await database.sql`UPDATE webhook_endpoints SET ordering = 'per_user' WHERE endpoint_id = ${endpointIds[1] ?? ''}`;
  if (sink !== undefined) endpointIds.push((await createEndpoint(context, team.teamId, { url: sink })).id);
  return { teamId: team.teamId, apiKey, endpointIds };
}

export async function seenBy(database: Database, witness: Witness, endpointId: string | undefined): Promise<Sightings> {
  const { refused: refusedOnce, badSignatures, changedBodies } = witness;
  return { ...(await compare(database, witness, endpointId)), refusedOnce, badSignatures, changedBodies };
}

async function takenBySink({ sql }: Database, endpointId: string): Promise<{ taken: number; missing: number }> {
  const [row] = await sql<{ taken: number; missing: number }[]>`
    SELECT count(*) FILTER (WHERE is_taken)::int AS taken, count(*) FILTER (WHERE NOT is_taken)::int AS missing
    FROM (SELECT EXISTS (SELECT FROM webhook_attempts a WHERE a.event_id = e.event_id AND a.endpoint_id = ${endpointId} AND a.outcome = ${attemptOutcomes.delivered}) AS is_taken
          FROM log_events e WHERE e.user_id IS NOT NULL) t`;
  return row ?? { taken: 0, missing: 0 };
}

/** Waits until all history is pulled, but not for long: data that are not pulled are not committed, so the judge misses nothing. */
export async function pulled(database: Database): Promise<void> {
  for (let waitedMs = 0; waitedMs < pullMaxMs; waitedMs += 200) {
    const [open] = await database.sql<
      { count: number }[]
    >`SELECT count(*)::int AS count FROM pull_windows WHERE state IN ('planned', 'running')`;
    if (open?.count === 0) return;
    await sleep(200);
  }
}

export async function drained(database: Database): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < drainMaxMs; waitedMs += 200) {
    const lag = await readLag(database, 'dispatcher');
    const [pending] = await database.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM webhook_pending`;
    if (lag.events === 0 && pending?.count === 0) return true;
    await sleep(200);
  }
  return false;
}
