import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sleep, systemClock } from '@pulsewire/kernel';
import { openDatabase, startEmbeddedServer, type Database, type EmbeddedServer } from '@pulsewire/database';
import { loadLabData } from '@pulsewire/labs';
import { freePorts } from '../../support/free-ports.ts';
import { createTurns, drained, prepare } from '../campaign.ts';
import { Child, type Death } from '../harness/child.ts';
import { readCommitted } from '../harness/compare.ts';
import { createRandom } from '../harness/random.ts';
import { Witness } from '../harness/witness.ts';
import type { Booking } from './booking.ts';
import { runClient, type Told } from './clients.ts';
import { judge, type Verdict } from './judge.ts';

export interface OrderCampaignOptions {
  /** Minimum duration of load and kills; a slow machine continues until every process was killed once. */
  readonly seconds: number;
  readonly seed: number;
  /** Longest time between two kills. */
  readonly killEveryMs: number;
  readonly clients: number;
  readonly report?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface OrderCampaignResult extends Verdict {
  readonly told: Told['counts'];
  /** Bookings that were refused, by response. */
  readonly refusals: ReadonlyMap<string, number>;
  readonly kills: Readonly<Record<string, number>>;
  readonly deaths: readonly Death[];
  /** Whether every call to the partner ended and every event was delivered. */
  readonly isDrained: boolean;
  readonly committed: number;
  /** Committed events that did not arrive at both receivers; the second has `per_user` order. */
  readonly lost: number;
}

const startMaxMs = 60_000;
const settleMaxMs = 120_000;

/** Clients order and book while processes, Postgres and the partner are killed; then the stored data are compared with what happened. */
export async function runOrderCampaign(options: OrderCampaignOptions): Promise<OrderCampaignResult> {
  const report = options.report ?? (() => {});
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-orders-'));
  const settings = { max_connections: '100', shared_buffers: '128MB' };
  let server: EmbeddedServer = await startEmbeddedServer({ dataDir: path.join(folder, 'postgres'), settings });
  const url = await server.databaseUrl('orders');
  const database = openDatabase({ url, name: 'order-judge', connectionsMax: 3 });
  const random = createRandom(options.seed);
  const witnesses = [new Witness(), new Witness()] as const;
  const children: Child[] = [];
  const kills: Record<string, number> = {};
  const stop = new AbortController();
  try {
    const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
    const { apiKey } = await prepare(database, witnesses, encryptionKeys, undefined, true);
    await loadLabData(database, systemClock);
    const ports = await freePorts(3);
    const [partnerUrl = '', ...urls] = ports.map((port) => `http://127.0.0.1:${port}`);
    const here = import.meta.dirname;
    const partnerArgs = (life: number) => [path.join(folder, 'bookings'), String(ports[0]), String(options.seed + life)];
    children.push(new Child({ name: 'phlebotomist', file: path.join(here, 'phlebotomist.ts'), args: partnerArgs }));
    const env = { DATABASE_URL: url, ENCRYPTION_KEYS: encryptionKeys, HEALTH_PORT: '0', LOG_LEVEL: 'warn', LOG_FORMAT: 'json' };
    const apiEnv = {
      ...env,
      LINK_TOKEN_SECRET: 'a secret of more than thirty-two characters',
      API_RATE_LIMIT: '0',
      SANDBOX_USERS_MAX: '1000000',
    };
    for (const [index, port] of ports.slice(1).entries()) {
      const file = path.join(here, 'api-process.ts');
      children.push(new Child({ name: `api ${index + 1}`, file, args: [partnerUrl], env: { ...apiEnv, PORT: String(port) } }));
    }
    const dispatcher = path.join(here, '../../../services/dispatcher/src/main.ts');
    children.push(new Child({ name: 'dispatcher', file: dispatcher, env: { ...env, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } }));
    for (const child of children) child.start();

    const told: Told = { orders: new Map(), refusals: new Map(), counts: { booked: 0, cancelled: 0, rescheduled: 0, completed: 0 } };
    const clients = Array.from({ length: options.clients }, (_, index) =>
      runClient(`client-${index}`, { urls, apiKey, random: createRandom(options.seed * 100 + index), told, signal: stop.signal }),
    );
    const work = Promise.all(clients);
    // The error is reported where the promise is awaited; until then it must not end the process.
    work.catch(() => stop.abort());

    for (let waitedMs = 0; told.counts.booked < options.clients && !stop.signal.aborted; waitedMs += 100) {
      if (waitedMs > startMaxMs) throw new Error(`Nothing could be booked: ${JSON.stringify([...told.refusals])}`);
      await sleep(100);
    }
    const nextVictim = createTurns();
    const endMs = performance.now() + options.seconds * 1000;
    for (;;) {
      await sleep(options.killEveryMs * (0.3 + 0.7 * random()), options.signal);
      const isEveryoneKilled = Object.keys(kills).length > children.length;
      if ((performance.now() >= endMs && isEveryoneKilled) || options.signal?.aborted || stop.signal.aborted) break;
      const child = children[nextVictim(random, children.length + 1)];
      if (child) await child.crash();
      else {
        process.kill(server.pid, 'SIGKILL');
        server = await startEmbeddedServer({ dataDir: path.join(folder, 'postgres'), settings, port: server.port });
      }
      const name = child?.name ?? 'postgres';
      kills[name] = (kills[name] ?? 0) + 1;
      report(`killed ${name}; ${told.orders.size} orders, ${told.counts.booked} bookings so far`);
    }
    stop.abort();
    await work;
    const isSettled = (await settled(database, children)) && (await drained(database));
    const committed = await readCommitted(database);
    const response = await fetch(`${partnerUrl}/active`);
    return {
      ...(await judge(database, (await response.json()) as Booking[], told)),
      told: told.counts,
      refusals: told.refusals,
      kills,
      deaths: children.flatMap((child) => child.ends),
      isDrained: isSettled,
      committed: committed.size,
      lost: [...committed].filter((id) => !witnesses.every(({ sightings }) => sightings.has(id))).length,
    };
  } finally {
    stop.abort();
    await Promise.all(children.map((child) => child.stop()));
    await database.close();
    await Promise.all(witnesses.map((witness) => witness.close()));
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(server.folder, { recursive: true, force: true });
  }
}

/**
 * Waits until no call to the partner is left. Leases of dead processes, and pauses before the partner is polled again, last for minutes:
 * the processes are restarted, and waiting calls are made due at once.
 */
async function settled({ sql }: Database, children: readonly Child[]): Promise<boolean> {
  const apis = children.filter(({ name }) => name.startsWith('api'));
  await Promise.all(apis.map((child) => child.stop()));
  await sql`UPDATE lab_partner_jobs SET lease_until = NULL`;
  for (const child of apis) child.start();
  for (let waitedMs = 0; waitedMs < settleMaxMs; waitedMs += 200) {
    // Appointments are polled until their day; polling no longer changes anything.
    const jobs = await sql<{ n: number }[]>`SELECT count(*)::int AS n FROM lab_partner_jobs WHERE kind <> 'watch_appointment'`;
    if (jobs[0]?.n === 0) return true;
    await sql`UPDATE lab_partner_jobs SET due_at = now() WHERE kind = 'release_booking' AND due_at > now() AND lease_until IS NULL`;
    await sleep(200);
  }
  return false;
}
