import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CanonicalRecord, Sample } from '@pulsewire/contract';
import { openDatabase } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { writeRecords, type RecordOwner } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const file = useDatabase({ connectionsMax: 2 });
const startMs = Date.UTC(2026, 0, 5);
const noResponse = 'no answer';

function note(minute: number, over: Partial<Sample> = {}): CanonicalRecord {
  const sample: Sample = { ts: startMs + minute * 60_000, value: null, timezoneOffset: 0, extra: { text: 'walk' }, ...over };
  return { kind: 'samples', resource: 'note', source: { provider: 'abbott_libreview', type: 'app' }, samples: [sample] };
}

/** Resolves with `noAnswer` after `ms`, so that a hanging write fails the test before the runner's timeout. */
function within<T>(work: Promise<T>, ms = 3000): Promise<T | typeof noResponse> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof noResponse>((resolve) => (timer = setTimeout(() => resolve(noResponse), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

describe('a batch that cannot be written', () => {
  test.each([
    ['an offset outside the range of its column', { timezoneOffset: 1e10 }],
    ['an end that is not an instant', { end: Number.POSITIVE_INFINITY }],
    ['a text that Postgres refuses', { extra: { text: 'a\u0000b' } }],
    ['half a surrogate pair', { extra: { text: 'a\ud800' } }],
  ] satisfies [string, Partial<Sample>][])(
    '%s rejects the write, frees its connection and admits the next writer of the series',
    async (_what, over) => {
      const database = openDatabase({ url: file.url, connectionsMax: 1, name: 'refused' });
      try {
        const owner: RecordOwner = { teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' };
        const write = (version: bigint, records: CanonicalRecord[]) =>
          withEvents(database, (tx, emit) =>
            writeRecords(tx, emit, { owner, version, origin: 'live', sourceId: 3, traceId: null, records }),
          );
        const settled = await within(
          write(1n, [note(0), note(1, over)]).then(
            () => 'written',
            () => 'refused',
          ),
        );
        expect(settled).not.toBe(noResponse);
        expect(await within(write(2n, [note(2)]))).toMatchObject({ samplesCreated: 1 });
      } finally {
        await file.current
          .sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'refused'`;
        await within(database.close());
      }
    },
  );
});
