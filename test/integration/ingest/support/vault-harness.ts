import type { CanonicalRecord, CompleteRange } from '@pulsewire/contract';
import type { Database } from '@pulsewire/database';
import { openPart, renormalise, type RenormaliseRequest, type RenormaliseTally, type VaultCipher } from '@pulsewire/ingest';
import type { Connector, PulledPage } from '@pulsewire/providers';
import { cipher as harnessCipher } from './harness.ts';

/** The same connector with fixed mappers: each record that a pull maps from a response goes through `mend`. */
export function mended(connector: Connector, mend: (record: CanonicalRecord) => CanonicalRecord): Connector {
  return {
    ...connector,
    pulls: connector.pulls.map((spec) => ({
      ...spec,
      async *pull(context): AsyncIterable<PulledPage> {
        for await (const page of spec.pull(context)) yield { ...page, records: page.records.map(mend) };
      },
    })),
  };
}

/** A connector that maps what could not be mapped before, to the version of its response at the beginning of the day. */
export function repaired(connector: Connector): Connector {
  const pulls = connector.pulls.map((spec) => ({
    ...spec,
    async *pull(context: Parameters<typeof spec.pull>[0]): AsyncIterable<PulledPage> {
      for await (const page of spec.pull(context)) {
        const ts = Date.parse(`${page.quarantined[0]?.pointer.slice(1) ?? ''}T00:00:00Z`);
        const samples = [{ ts, value: Number(page.version), timezoneOffset: 0 }];
        const repair = page.records.map((record) => (record.kind === 'samples' ? { ...record, samples } : record));
        yield page.quarantined.length > 0 ? { ...page, quarantined: [], records: repair } : page;
      }
    },
  }));
  return { ...connector, pulls };
}

/** The connector of a provider whose responses are complete for their day; a value of 0 means that the day has no data. */
export function complete(connector: Connector): Connector {
  const pulls = connector.pulls.map((spec) => ({
    ...spec,
    async *pull(context: Parameters<typeof spec.pull>[0]): AsyncIterable<PulledPage> {
      for await (const page of spec.pull(context)) {
        const allOf = page.records.flatMap((record): CompleteRange[] => {
          if (record.kind !== 'samples' || record.samples.length === 0) return [];
          const fromMs = Math.min(...record.samples.map(({ ts }) => ts));
          return [{ kind: 'samples', resource: record.resource, sourceTypes: [record.source.type], fromMs, toMs: fromMs + 86_400_000 }];
        });
        const records = page.records.map((record) =>
          record.kind === 'samples' ? { ...record, samples: record.samples.filter(({ value }) => value !== 0) } : record,
        );
        yield { ...page, records, allOf };
      }
    },
  }));
  return { ...connector, pulls };
}

/** Doubles the steps of these days. */
export function doubledSteps(...days: readonly string[]): (record: CanonicalRecord) => CanonicalRecord {
  return (record) =>
    record.kind === 'samples' && record.resource === 'steps'
      ? {
          ...record,
          samples: record.samples.map((sample) =>
            days.includes(new Date(sample.ts).toISOString().slice(0, 10)) ? { ...sample, value: (sample.value ?? 0) * 2 } : sample,
          ),
        }
      : record;
}

/** Renormalises everything of the connector's provider, or the selection in `more`. */
export function renormaliseWith(
  database: Database,
  connector: Connector,
  more: Partial<RenormaliseRequest> = {},
  cipher: VaultCipher = harnessCipher,
): Promise<RenormaliseTally> {
  return renormalise(
    { database, cipher, connectorFor: (slug) => (slug === connector.slug ? connector : undefined) },
    {
      provider: connector.slug,
      from: '2000-01-01',
      to: '2100-01-01',
      teamId: null,
      userId: null,
      resources: null,
      isDryRun: false,
      ...more,
    },
  );
}

/** Every stored record of a user as stored, with its version; summaries and streams with the transaction that wrote them last. */
export async function recordsOf({ sql }: Database, userId: string): Promise<readonly string[]> {
  const samples = await sql<{ line: string }[]>`
    SELECT concat_ws(' ', resource, sub_kind, ts, value, value2, end_ts, tz_offset, 'v', version) AS line
    FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series) WHERE user_id = ${userId}`;
  const summaries = await sql<{ line: string }[]>`
    SELECT concat_ws(' ', resource, calendar_date, at, data, 'v', version, 'x', xmin) AS line FROM summaries WHERE user_id = ${userId}`;
  const streams = await sql<{ line: string }[]>`
    SELECT concat_ws(' ', workout_id, packed, 'v', version, 'x', xmin) AS line FROM workout_streams WHERE user_id = ${userId}`;
  return [...samples, ...summaries, ...streams].map((row) => row.line).toSorted();
}

/** Lines that are in `after` and not in `before`. */
export function newLines(before: readonly string[], after: readonly string[]): readonly string[] {
  const known = new Set(before);
  return after.filter((line) => !known.has(line));
}

export async function valueAt({ sql }: Database, userId: string, resource: string, ts: string): Promise<number | undefined> {
  const [row] = await sql<{ value: number }[]>`
    SELECT value FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series)
    WHERE user_id = ${userId} AND resource = ${resource} AND ts = ${ts}`;
  return row?.value;
}

/** Everything in the vault as one text, opened and unpacked, columns included. */
export async function vaultText({ sql }: Database, cipher: VaultCipher): Promise<string> {
  const rows = await sql<{ run_id: string; part: number; user_id: string; body: Buffer }[]>`SELECT * FROM raw_answers`;
  const texts = rows.map(async ({ body, ...columns }) => {
    const { responses, ...facts } = await openPart(cipher, { runId: columns.run_id, part: columns.part, userId: columns.user_id }, body);
    const bodies = responses.map(({ bytes }) => bytes?.toString('latin1') ?? '');
    const heads = responses.map(({ version, bytes: _bytes, ...head }) => ({ ...head, version: String(version) }));
    return [JSON.stringify(columns), JSON.stringify({ ...facts, heads }), ...bodies].join('\n');
  });
  return (await Promise.all(texts)).join('\n');
}
