// A process that writes data as a provider might send it: new, revised, repeated and late minutes; and packs them. It is killed at any moment.
import { sleep } from '@pulsewire/kernel';
import type { CanonicalRecord } from '@pulsewire/contract';
import { openDatabase, type Database } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, packSamples, writeRecords, type RecordOwner } from '@pulsewire/store';
import { createRandom } from './random.ts';
import { summaryIdOf, userIdOf, usersCount } from './people.ts';

const [databaseUrl = '', teamId = '', seed = '1', pauseMs = '5', life = '1'] = process.argv.slice(2);
const database = openDatabase({ url: databaseUrl, name: 'fault-writer', connectionsMax: 4 });
const random = createRandom(Number(seed) * 1000 + Number(life));
const baseMs = Date.UTC(2026, 0, 5);
const source = { provider: 'fitbit', type: 'watch' };

interface ReceivedResponse {
  readonly owner: RecordOwner;
  readonly version: bigint;
  readonly records: readonly CanonicalRecord[];
}

function pick(count: number): number {
  return Math.floor(random() * count);
}

async function receive(): Promise<ReceivedResponse> {
  const person = pick(usersCount);
  const owner = { teamId: teamId, userId: userIdOf(person), clientUserId: `person-${person}` };
  const version = await drawVersion(database);
  const first = pick(600);
  const samples = Array.from({ length: 1 + pick(40) }, (_, i) => ({
    ts: baseMs + (first + i) * 60_000,
    end: baseMs + (first + i + 1) * 60_000,
    value: pick(3),
    timezoneOffset: 0,
  }));
  const day = 1 + pick(5);
  const records: CanonicalRecord[] = [{ kind: 'samples', resource: random() < 0.5 ? 'steps' : 'distance', source, samples }];
  if (random() < 0.3) {
    records.push({
      kind: 'summary',
      id: summaryIdOf(person, day),
      resource: 'activity',
      source,
      calendarDate: `2026-01-0${day}`,
      at: baseMs,
      data: { steps: pick(5) },
    });
  }
  return { owner, version, records };
}

/** Retries until the write succeeds, as a retried job would. */
async function write(db: Database, response: ReceivedResponse): Promise<void> {
  for (;;) {
    try {
      await withEvents(db, (tx, emit) => writeRecords(tx, emit, { ...response, origin: 'live', sourceId: 3, traceId: null }));
      return;
    } catch {
      await sleep(100);
    }
  }
}

async function writeRepeatedly(): Promise<never> {
  let late: ReceivedResponse | null = null;
  for (;;) {
    try {
      const response = await receive();
      if (random() < 0.1 && late === null) {
        late = response;
        continue;
      }
      await write(database, response);
      if (random() < 0.2) await write(database, response);
      if (late !== null && random() < 0.3) {
        await write(database, late);
        late = null;
      }
      await sleep(Number(pauseMs));
    } catch {
      await sleep(100);
    }
  }
}

/** The days of the written minutes are long closed, so everything is packed again and again while it is corrected. */
async function packRepeatedly(): Promise<never> {
  for (;;) {
    await packSamples(database, { before: '2026-02-01', samplesPerDay: 2 }, new AbortController().signal).catch(() => undefined);
    await sleep(200);
  }
}

await Promise.all([writeRepeatedly(), writeRepeatedly(), writeRepeatedly(), packRepeatedly()]);
