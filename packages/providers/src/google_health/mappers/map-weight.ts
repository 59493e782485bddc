import type { Quarantined, Summary } from '@pulsewire/contract';
import { roundTo } from '../../kit/values/numbers.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { readEachPoint, readPointId, readSampleTime, readSourceType } from '../read-point.ts';
import type { SeriesRow } from '../series.ts';
import { mapSeries } from './map-series.ts';

/** A page of `weight`: a sample and a body summary for each weighing. */
export function mapWeight(body: unknown, row: SeriesRow, context: RecordMaker): MappedRecords {
  const weights = mapSeries(body, row, context);
  const unlisted: Quarantined[] = [];
  const bodies = readEachPoint('body', body, unlisted, (point): Summary => {
    const value = point.at('weight');
    const { ms, day } = readSampleTime(value, context);
    return context.summary({
      raw: point,
      resource: 'body',
      sourceType: readSourceType(point),
      externalId: readPointId(point),
      calendarDate: day,
      at: ms,
      data: { weight: roundTo(value.at('weightGrams').amount() / 1000, 3) },
    });
  });
  return { records: [...bodies, ...weights.records], quarantined: [...weights.quarantined, ...unlisted] };
}
