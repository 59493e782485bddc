import { findResource, type Quarantined, type Sample } from '@pulsewire/contract';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { localTime, readAppId, readEachPoint, readSourceType, readTimes } from '../read-point.ts';
import type { SeriesRow } from '../series.ts';

function hasEnd(resource: string): boolean {
  const known = findResource(resource);
  return known?.kind === 'timeseries' && (known.shape === 'interval' || known.showsKnownEnd);
}

/** A data set of one stream as samples, grouped by source type and by the app that wrote them. */
export function mapSeries(body: unknown, row: SeriesRow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const isInterval = hasEnd(row.resource);
  const points = readEachPoint(row.resource, body, quarantined, (point) => {
    const { startMs, endMs } = readTimes(point);
    const value = row.read(point);
    const second = row.readSecond?.(point);
    if (value === null || second === null) return undefined;
    const { offset, offsetFrom } = localTime(startMs, context);
    const sample: Sample = {
      ts: startMs,
      ...(isInterval && { end: endMs }),
      value,
      ...(second !== undefined && { value2: second }),
      timezoneOffset: offset,
      offsetFrom,
      ...(row.extra && { extra: row.extra(point) }),
    };
    return { type: row.sourceType?.(point) ?? readSourceType(point), appId: readAppId(point), sample };
  });
  const groups = Map.groupBy(points, ({ type, appId }) => `${type} ${appId ?? ''}`);
  const records = [...groups.values()].flatMap((found) => {
    const { type = '', appId = null } = found[0] ?? {};
    const samples = found.map(({ sample }) => sample);
    return context.samples(row.resource, type, samples).map((group) => ({ ...group, source: { ...group.source, appId } }));
  });
  return { records, quarantined };
}
