import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { strap, type WhoopContext } from '../whoop.ts';

/** Requested seconds between two values; WHOOP accepts only 6, 60 and 600. */
export const heartStepSeconds = 6;
const dateMsMax = 8.64e15;

function readTime(item: JsonNode): number {
  const ms = item.at('time').amount();
  if (!Number.isSafeInteger(ms) || ms > dateMsMax) throw item.at('time').fail('bad_time');
  return ms;
}

/** Beats a minute; a zero means that the strap was not worn. */
export function mapHeartrate(body: unknown, offset: number | null, context: WhoopContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('heartrate', new JsonNode(body).at('values'), quarantined, (item): Sample | undefined => {
    const [ts, value] = [readTime(item), item.at('data').amount()];
    return value === 0 ? undefined : { ts, value, timezoneOffset: offset };
  });
  return { records: context.samples('heartrate', strap, samples), quarantined };
}

/** The latest time among samples; negative infinity when there are none. */
export function lastSampleMs(records: readonly CanonicalRecord[]): number {
  const samples = records.flatMap((record) => (record.kind === 'samples' ? record.samples : []));
  return samples.reduce((latest, { ts }) => Math.max(latest, ts), Number.NEGATIVE_INFINITY);
}
