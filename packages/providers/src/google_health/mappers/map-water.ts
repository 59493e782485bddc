import type { Quarantined, Sample } from '@pulsewire/contract';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { readEachPoint, readInterval } from '../read-point.ts';

/** A page of `hydration-log`: the water drunk, in ml. */
export function mapWater(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEachPoint('water', body, quarantined, (point): Sample => {
    const log = point.at('hydrationLog');
    const { start, end } = readInterval(log, context);
    const value = log.at('amountConsumed').at('milliliters').amount();
    return { ts: start.ms, end: end.ms, value, timezoneOffset: start.offset, offsetFrom: start.offsetFrom };
  });
  return { records: context.samples('water', 'app', samples), quarantined };
}
