import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sleep, systemClock } from '@pulsewire/kernel';
import { openDatabase, startEmbeddedServer, type EmbeddedServer } from '@pulsewire/database';
import { loadLabData } from '@pulsewire/labs';
import { freePorts } from '../../support/free-ports.ts';
import { program } from '../../support/programs/program.ts';
import { createVictimRotation, drained, prepare } from '../campaign.ts';
import { Child, type Death } from '../harness/child.ts';
import { readCommitted } from '../harness/compare.ts';
import { createRandom } from '../harness/random.ts';
import { Witness } from '../harness/witness.ts';
import type { Booking } from './booking.ts';
import type { Observed } from './caller.ts';
import { createTests, runRealClient, runSandboxClient } from './clients.ts';
import type { CompanyState } from './judge/judge-company.ts';
import { judge, lostEvents, type Verdict } from './judge/judge.ts';
import { readResults } from './judge/read-results.ts';
import { readState } from './judge/read-state.ts';
import { quiet } from './settled.ts';

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
  readonly observed: Observed['counts'];
  /** Bookings that were refused, by response. */
  readonly refusals: ReadonlyMap<string, number>;
  readonly kills: Readonly<Record<string, number>>;
  readonly deaths: readonly Death[];
  /** Whether every call to the partner ended and every event was delivered. */
  readonly isDrained: boolean;
  readonly committed: number;
  /** Committed events that did not arrive at both receivers of their team; the second has `per_user` order. */
  readonly lost: number;
}

const startMaxMs = 60_000;
const companies = [
  ['scheduler', 'test/fault/orders/scheduler.ts'],
  ['lab company', 'test/fault/orders/lab-company.ts'],
] as const;

/** Clients order and book while processes, Postgres and the partner are killed; then the stored data are compared with what happened. */
export async function runOrderCampaign(options: OrderCampaignOptions): Promise<OrderCampaignResult> {
  const report = options.report ?? (() => {});
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-orders-'));
  const settings = { max_connections: '100', shared_buffers: '128MB' };
  let server: EmbeddedServer = await startEmbeddedServer({ dataDir: path.join(folder, 'postgres'), settings });
  const url = await server.databaseUrl('orders');
  const database = openDatabase({ url, name: 'order-judge', connectionsMax: 3 });
  const random = createRandom(options.seed);
  const witnesses = [new Witness(), new Witness(), new Witness(), new Witness()] as const;
  const teamWitnesses = [witnesses.slice(0, 2), witnesses.slice(2)] as const;
  const children: Child[] = [];
  const kills: Record<string, number> = {};
  const stop = new AbortController();
  try {
    const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
    const sandbox = await prepare(database, teamWitnesses[0], encryptionKeys, undefined, true);
    const real = await prepare(database, teamWitnesses[1], encryptionKeys, undefined);
    await loadLabData(database, systemClock);
    const ports = await freePorts(4);
    const [schedulerUrl = '', companyUrl = '', ...urls] = ports.map((port) => `http://127.0.0.1:${port}`);
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    for (const [index, [name, file]] of companies.entries()) {
      const journal = path.join(folder, `journal-${index}`);
      const args = (life: number) => [journal, String(ports[index]), String(options.seed + 10 * life + index), urls.join(','), secret];
      children.push(new Child({ name, file: program(file), args }));
    }
    const env = { DATABASE_URL: url, ENCRYPTION_KEYS: encryptionKeys, HEALTH_PORT: '0', LOG_LEVEL: 'warn', LOG_FORMAT: 'json' };
    const partnersEnv = {
      LAB_PARTNER_URL: companyUrl,
      LAB_PARTNER_TOKEN: secret,
      LAB_PARTNER_WEBHOOK_SECRET: secret,
      LAB_PARTNER_LABS: 'quest,ussl',
      KIT_PARTNER_URL: companyUrl,
      KIT_PARTNER_TOKEN: secret,
      KIT_PARTNER_WEBHOOK_SECRET: secret,
      KIT_PARTNER_LABS: 'quest,ussl',
    };
    const secrets = { LINK_TOKEN_SECRET: 'a secret of more than thirty-two characters' };
    const apiEnv = { ...env, ...partnersEnv, ...secrets, API_RATE_LIMIT: '0', SANDBOX_USERS_MAX: '1000000' };
    const labsEnv = { ...env, ...partnersEnv };
    for (const [index, port] of ports.slice(2).entries()) {
      const file = program('test/fault/orders/api-process.ts');
      children.push(new Child({ name: `api ${index + 1}`, file, args: [schedulerUrl, secret], env: { ...apiEnv, PORT: String(port) } }));
    }
    for (const name of ['labs 1', 'labs 2'])
      children.push(new Child({ name, file: program('test/fault/orders/labs-process.ts'), args: [schedulerUrl, secret], env: labsEnv }));
    const dispatcher = program('services/dispatcher/src/main.ts');
    children.push(new Child({ name: 'dispatcher', file: dispatcher, env: { ...env, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } }));
    for (const child of children) child.start();

    const counts = { booked: 0, cancelled: 0, rescheduled: 0, completed: 0, kits: 0, registered: 0 };
    const observed: Observed = { orders: new Map(), appointments: new Set(), refusals: new Map(), counts };
    const clientOptions = (index: number, apiKey: string) => {
      return { urls, apiKey, random: createRandom(options.seed * 100 + index), observed, signal: stop.signal };
    };
    const tests = await createTests(clientOptions(0, real.apiKey));
    const clients = Array.from({ length: options.clients }, (_, index) =>
      index % 2 === 0
        ? runRealClient(`real-${index}`, tests, clientOptions(index, real.apiKey))
        : runSandboxClient(`sandbox-${index}`, clientOptions(index, sandbox.apiKey)),
    );
    const work = Promise.all(clients);
    // The error is reported where the promise is awaited; until then it must not end the process.
    work.catch(() => stop.abort());

    for (let waitedMs = 0; (counts.booked < options.clients || counts.kits === 0) && !stop.signal.aborted; waitedMs += 100) {
      if (waitedMs > startMaxMs) throw new Error(`Nothing could be booked: ${JSON.stringify([...observed.refusals])}`);
      await sleep(100);
    }
    const nextVictim = createVictimRotation();
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
      report(`killed ${name}; ${observed.orders.size} orders, ${observed.counts.booked} bookings so far`);
    }
    stop.abort();
    await work;
    const callers = children.filter(({ name }) => name.startsWith('api') || name.startsWith('labs'));
    const unsettled = await quiet(database, [schedulerUrl, companyUrl], callers);
    if (unsettled !== null) report(unsettled);
    const isSettled = unsettled === null && (await drained(database));
    const committed = await readCommitted(database);
    const stateOf = async (company: string) => (await fetch(`${company}/state`)).json();
    const received = teamWitnesses.map((pair) => pair.map(({ sightings }) => new Set(sightings.keys())));
    const state = await readState(database);
    const shown = await readResults(
      urls[0] ?? '',
      real.apiKey,
      state.real.map(({ id }) => id),
    );
    const withResults = {
      ...state,
      real: state.real.map((order) => {
        const results = shown.get(order.id);
        return results ? { ...order, results } : order;
      }),
    };
    const { bookings } = (await stateOf(schedulerUrl)) as { readonly bookings: readonly Booking[] };
    return {
      ...judge(withResults, bookings, (await stateOf(companyUrl)) as CompanyState, observed),
      observed: observed.counts,
      refusals: observed.refusals,
      kills,
      deaths: children.flatMap((child) => child.ends),
      isDrained: isSettled,
      committed: committed.size,
      lost: lostEvents(committed, received).length,
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
