import type { Quarantined } from '@pulsewire/contract';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { amountAt, readEachPoint, readTimes } from '../read-point.ts';
import { appSource } from '../google-fit.ts';

/** The data set of `height`, in metres: the newest one. Google Fit has no other facts about the person. */
export function mapProfile(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const heights = readEachPoint('profile', body, quarantined, (point) => {
    const metres = amountAt(point, 0);
    return metres === null ? undefined : { ms: readTimes(point).startMs, centimetres: Math.round(metres * 100), raw: point };
  });
  if (heights.length === 0) return { records: [], quarantined };
  const newest = heights.reduce((a, b) => (b.ms >= a.ms ? b : a));
  const ids = { sourceType: appSource, externalId: 'profile', calendarDate: null };
  // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
  return {
    records: [context.summary({ ...ids, resource: 'profile', at: 0, data: { height: newest.centimetres }, raw: newest.raw })],
    quarantined,
  };
}
