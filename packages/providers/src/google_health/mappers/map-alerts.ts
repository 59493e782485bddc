import type { Quarantined, Sample } from '@pulsewire/contract';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { readEachPoint, readInterval } from '../read-point.ts';

/** A page of `irregular-rhythm-notification`: one alert each. The beats behind an alert belong to no series. */
export function mapAlerts(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEachPoint('heart_rate_alert', body, quarantined, (point): Sample => {
    const { start, end } = readInterval(point.at('irregularRhythmNotification'), context);
    return { ts: start.ms, end: end.ms, value: 1, timezoneOffset: start.offset, offsetFrom: start.offsetFrom };
  });
  return { records: context.samples('heart_rate_alert', 'watch', samples, 'irregular_rhythm'), quarantined };
}
