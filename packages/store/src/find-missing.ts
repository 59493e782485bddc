import type { CanonicalRecord, CompleteRange, SampleGroup, SampleRemoval, Summary, SummaryRemoval } from '@pulsewire/contract';
import { plainArray, textArray, type Tx } from '@pulsewire/database';
import { fingerprintOf, isSameFingerprint, type Fingerprint } from './model/sample-fingerprint.ts';

/** A record in a response, with or without its figures. */
export type PresentRecord =
  | Pick<Summary, 'kind' | 'resource' | 'id'>
  | Pick<SampleGroup, 'kind' | 'resource' | 'subKind' | 'source' | 'samples'>;

/** The records in a response, without its removals. */
export function presentIn(records: readonly CanonicalRecord[]): PresentRecord[] {
  return records.filter((record) => record.kind === 'summary' || record.kind === 'samples');
}

/** A response that is complete in some ranges, with its records. */
export interface CompleteResponse {
  readonly owner: { readonly teamId: string; readonly userId: string };
  /** Provider slug. */
  readonly provider: string;
  readonly version: bigint;
  /** Records of this version and older ones are kept: they may belong to another account of the user. */
  readonly since: bigint;
  readonly ranges: readonly CompleteRange[];
  /** All records of the response, including those excluded by the user's bounds. Call after they are stored. */
  readonly records: readonly PresentRecord[];
}

type RangeOf<Kind extends CompleteRange['kind']> = Extract<CompleteRange, { kind: Kind }>;

async function missingSummaries({ sql }: Tx, response: CompleteResponse, range: RangeOf<'summaries'>): Promise<SummaryRemoval[]> {
  const { owner, provider, version, since, records } = response;
  const { resource, sourceTypes, startDate, endDate } = range;
  const present = records.flatMap((record) => (record.kind === 'summary' && record.resource === resource ? [record.id] : []));
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM summaries WHERE user_id = ${owner.userId} AND team_id = ${owner.teamId} AND resource = ${resource} AND provider = ${provider}
      AND source->>'type' = ANY(${textArray(sourceTypes)}::text[]) AND calendar_date BETWEEN ${startDate}::date AND ${endDate}::date
      AND version > ${since.toString()}::bigint AND version <= ${version.toString()}::bigint
    EXCEPT SELECT unnest(${plainArray(present)}::uuid[])
    ORDER BY id`;
  return rows.map(({ id }) => ({ kind: 'summary_removal', resource, id }));
}

/** The times of a response in a range, of one source type. */
function presentTimes({ records }: CompleteResponse, { resource, subKind = '', fromMs, toMs }: RangeOf<'samples'>, sourceType: string) {
  const groups = records.filter((record) => record.kind === 'samples' && record.source.type === sourceType && record.resource === resource);
  const times = groups.flatMap((group) =>
    group.kind === 'samples' && (group.subKind ?? '') === subKind ? group.samples.map(({ ts }) => ts) : [],
  );
  return new Set(times.filter((ts) => ts >= fromMs && ts < toMs));
}

async function missingSamples({ sql }: Tx, response: CompleteResponse, range: RangeOf<'samples'>): Promise<SampleRemoval[]> {
  const { owner, provider, version, since } = response;
  const { resource, subKind = '', sourceTypes, fromMs, toMs } = range;
  // Nearly always nothing is missing: comparing fingerprints saves reading the times, which are thousands for a day of heart rate.
  const stored = await sql<(Fingerprint & { readonly source_id: number; readonly type: string })[]>`
    SELECT source_id, type, count(*)::float8 AS count, sum(ms::float8) AS sum, sum(((ms % 65521) * (ms % 32749))::float8) AS mixed
    FROM (
      SELECT o.user_source_id AS source_id, o.source_type AS type, round(date_part('epoch', s.ts) * 1000)::bigint - ${fromMs}::bigint AS ms
      FROM sources o JOIN series k ON k.resource = ${resource} AND k.sub_kind = ${subKind}
      CROSS JOIN LATERAL stored_samples(o.user_source_id, k.series, to_timestamp(${fromMs}::float8 / 1000), to_timestamp(${toMs}::float8 / 1000)) s
      WHERE o.user_id = ${owner.userId} AND o.team_id = ${owner.teamId} AND o.provider = ${provider}
        AND o.source_type = ANY(${textArray(sourceTypes)}::text[])
        AND s.ts < to_timestamp(${toMs}::float8 / 1000)
    ) AS stored GROUP BY source_id, type ORDER BY type`;
  const removals: SampleRemoval[] = [];
  for (const { source_id: sourceId, type, ...fingerprint } of stored) {
    const present = presentTimes(response, range, type);
    if (isSameFingerprint(fingerprint, fingerprintOf([...present], fromMs))) continue;
    // Compared here: Postgres cannot estimate the number of times and would choose a quadratic plan.
    const rows = await sql<{ ms: number }[]>`
      SELECT date_part('epoch', s.ts) * 1000 AS ms
      FROM series k CROSS JOIN LATERAL stored_samples(${sourceId}, k.series, to_timestamp(${fromMs}::float8 / 1000), to_timestamp(${toMs}::float8 / 1000)) s
      WHERE k.resource = ${resource} AND k.sub_kind = ${subKind} AND s.ts < to_timestamp(${toMs}::float8 / 1000)
        AND s.version > ${since.toString()}::bigint AND s.version <= ${version.toString()}::bigint
      ORDER BY s.ts`;
    const ts = rows.map(({ ms }) => Math.round(ms)).filter((ms) => !present.has(ms));
    if (ts.length > 0)
      removals.push({ kind: 'sample_removal', resource, ...(subKind !== '' && { subKind }), source: { provider, type }, ts });
  }
  return removals;
}

/**
 * Removals of records that are stored in ranges which a response covers completely, but missing in the response. Writes nothing: pass them
 * to `writeRecords`, under the response's version.
 */
export async function findMissing(tx: Tx, response: CompleteResponse): Promise<readonly (SummaryRemoval | SampleRemoval)[]> {
  const found: (SummaryRemoval | SampleRemoval)[] = [];
  for (const range of response.ranges) {
    if (range.kind === 'summaries') found.push(...(await missingSummaries(tx, response, range)));
    else found.push(...(await missingSamples(tx, response, range)));
  }
  return found;
}
