import type { CanonicalRecord, SampleRemoval } from '@pulsewire/contract';
import { plainArray, textArray, type Tx } from '@pulsewire/database';
import type { PhoneReading } from '@pulsewire/providers';
import { readSourceExtents } from '@pulsewire/store';
import type { PhoneOwner } from '../model/phone-owner.ts';

/** The kind of device that earlier imports gave to what apps had written, of which an export does not state the device. */
const formerType = 'unknown';
const type = 'phone';

/**
 * The removals of samples that an earlier import stored of the same items under another kind of device: the store keeps samples of each kind
 * apart, so a repeated import would double them.
 */
export async function formerSamples(tx: Tx, owner: PhoneOwner, records: readonly CanonicalRecord[]): Promise<readonly SampleRemoval[]> {
  const groups = records.filter((record) => record.kind === 'samples').filter(({ source }) => source.type === type);
  if (groups.length === 0) return [];
  const resources = [...new Set(groups.map(({ resource }) => resource))];
  const extents = await readSourceExtents(tx, { ...owner, resources });
  const former = extents.find(({ sourceType }) => sourceType === formerType);
  if (!former) return [];
  return groups.flatMap(({ resource, subKind, samples }): SampleRemoval[] => {
    const ts = samples.map((sample) => sample.ts).filter((ms) => ms >= former.oldestMs && ms <= former.newestMs);
    const source = { provider: owner.provider, type: formerType };
    return ts.length === 0 ? [] : [{ kind: 'sample_removal', resource, ...(subKind !== undefined && { subKind }), source, ts }];
  });
}

/** The same for readings; deletes them and returns them, so that what was built from them is built again. */
export async function deleteFormerReadings(
  { sql }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  given: readonly PhoneReading[],
): Promise<readonly PhoneReading[]> {
  const readings = given.filter(({ sourceType }) => sourceType === type);
  if (readings.length === 0) return [];
  const rows = await sql<{ kind: string; atMs: number; slot: number; value: number; offset: number | null; appId: string }[]>`
    DELETE FROM phone_readings p
    USING unnest(${textArray(readings.map(({ kind }) => kind))}::text[], ${plainArray(readings.map(({ atMs }) => atMs))}::float8[],
      ${plainArray(readings.map(({ slot }) => slot))}::float8[]) AS i(kind, at_ms, slot)
    WHERE p.user_id = ${userId} AND p.team_id = ${teamId} AND p.provider = ${provider} AND p.source_type = ${formerType}
      AND p.at = to_timestamp(i.at_ms / 1000) AND p.kind = i.kind AND p.slot = i.slot AND p.item_id = ''
    RETURNING p.kind, date_part('epoch', p.at) * 1000 AS "atMs", p.slot, p.value, p.tz_offset AS offset, p.app_id AS "appId"`;
  return rows.map((row) => ({ ...row, sourceType: formerType, itemId: '' }));
}
