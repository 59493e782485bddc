import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { sensor, toMmol, type DexcomContext } from '../dexcom.ts';
import { readTime } from '../read-time.ts';

/**
 * `egvs`: the sensor's readings, every five minutes, in mmol/L. Readings outside the sensor's range arrive as 39 and 401 mg/dL and are
 * stored as such; readings without a value are omitted.
 */
export function mapEgvs(body: unknown, { startDate, endDate }: PullWindow, context: DexcomContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('glucose', new JsonNode(body).at('records'), quarantined, (record): Sample | undefined => {
    const { ms, offset, offsetFrom, day } = readTime(record, context);
    const given = record.at('value').optional((node) => node.amount());
    if (given === null || day < startDate || day > endDate) return undefined;
    const value = toMmol(given, record.at('unit').text());
    if (value === undefined) throw record.at('unit').fail('unknown_shape');
    return { ts: ms, value, timezoneOffset: offset, offsetFrom };
  });
  return { records: context.samples('glucose', sensor, samples), quarantined };
}
