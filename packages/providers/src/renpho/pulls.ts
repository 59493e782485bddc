import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { historyDaysMax } from '../kit/history-depth.ts';
import { leaveOut } from '../kit/records/left-out.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullWindow } from '../kit/types/connector.ts';
import { readEachOf, readWhole, type JsonNode } from '../kit/values/json-node.ts';
import { countUnread, measurementPaths, openEnvelope, readCount, readGirths, readMeasurements, tablesOf, type Table } from './api.ts';
import type { Envelope } from './envelope.ts';
import { keyOf, mapGirth, mapRow } from './map-body.ts';
import { mapProfile } from './map-profile.ts';
import { createContext, type RenphoValues } from './renpho.ts';
import { ownRows } from './rows.ts';

export const historyDays = 90;
const rereadDays = 7;
const unseen = 'A session that ended elsewhere gives empty lists, so what is missing may still be there.';

interface Reading {
  readonly http: ProviderHttp;
  readonly envelope: Envelope;
  readonly window: PullWindow;
  readonly context: RecordMaker;
}

/** Both calls of a table as one page: of a row in both, the first is used, so that every pull returns the same one. */
async function readTable({ http, envelope, window, context }: Reading, table: Table, counted: bigint): Promise<PulledPage> {
  const quarantined: Quarantined[] = [];
  const records = new Map<string, readonly CanonicalRecord[]>();
  for (const path of measurementPaths) {
    for await (const { rows } of readMeasurements(http, envelope, path, table)) {
      const numbers = [context.user.providerUserId, ...table.userIds];
      const own = ownRows('body', rows, itemsOf(rows, 'body', quarantined), { numbers, window }, quarantined);
      readEachOf('body', rows, own, quarantined, (row) => {
        const key = keyOf(row);
        if (!records.has(key)) records.set(key, mapRow(row, window, context));
      });
    }
  }
  return { records: [...records.values()].flat(), quarantined, version: counted };
}

/** An empty page has no list at all. */
function itemsOf(rows: JsonNode, resource: string, quarantined: Quarantined[]): readonly JsonNode[] {
  return rows.isMissing ? [] : (readWhole(resource, quarantined, () => rows.items()) ?? []);
}

async function* readTape({ http, envelope, window, context }: Reading, numbers: readonly string[]): AsyncGenerator<PulledPage> {
  for await (const { rows, version } of readGirths(http, envelope)) {
    const quarantined: Quarantined[] = [];
    const own = ownRows('waist_circumference', rows, itemsOf(rows, 'waist_circumference', quarantined), { numbers, window }, quarantined);
    const records = readEachOf('waist_circumference', rows, own, quarantined, (row) => mapGirth(row, window, context)).flat();
    yield { records, quarantined, version };
  }
}

export function createPulls(values: RenphoValues): readonly PullSpec[] {
  const common = { requiredScopes: [], rereadDays, collections: [], deletions: { unseen } };
  // Lists cannot be filtered by date: a window reads them completely, so history is one window.
  const whole = { chunkDays: historyDaysMax, backfillDays: historyDays, reachDays: historyDaysMax };
  return [
    {
      ...common,
      ...whole,
      name: 'measurements',
      resources: ['body', 'weight', 'fat', 'body_mass_index', 'lean_body_mass', 'heartrate'],
      async *pull({ http, user, window }) {
        const reading = { http, envelope: openEnvelope(values), window, context: createContext(user) };
        const counted = await readCount(http, reading.envelope);
        leaveOut(window, 'unknown_kind', countUnread(counted));
        for (const table of tablesOf(counted, user.providerUserId)) yield await readTable(reading, table, counted.version);
      },
    },
    {
      ...common,
      ...whole,
      name: 'girths',
      resources: ['waist_circumference'],
      async *pull({ http, user, window }) {
        const reading = { http, envelope: openEnvelope(values), window, context: createContext(user) };
        const tables = tablesOf(await readCount(http, reading.envelope), user.providerUserId);
        yield* readTape(reading, [user.providerUserId, ...tables.flatMap(({ userIds }) => userIds)]);
      },
    },
    {
      ...common,
      name: 'profile',
      resources: ['profile'],
      chunkDays: historyDaysMax,
      backfillDays: 1,
      rereadDays: 1,
      async *pull({ http, user }) {
        const { version } = await readCount(http, openEnvelope(values));
        yield { records: [mapProfile(createContext(user))], quarantined: [], version };
      },
    },
  ];
}
