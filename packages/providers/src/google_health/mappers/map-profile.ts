import type { Quarantined } from '@pulsewire/contract';
import { roundTo } from '../../kit/values/numbers.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { readEachPoint } from '../read-point.ts';

/** The newest page of `height`, whose first point is the current height. Google's own profile has neither birthday nor sex. */
export function mapProfile(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const [newest] = readEachPoint('profile', body, quarantined, (point) => ({
    height: roundTo(point.at('height').at('heightMillimeters').amount() / 10, 0),
    raw: point,
  }));
  if (newest === undefined) return { records: [], quarantined };
  const ids = { sourceType: 'app', externalId: 'profile', calendarDate: null };
  // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
  return {
    records: [context.summary({ ...ids, resource: 'profile', at: 0, data: { height: newest.height }, raw: newest.raw })],
    quarantined,
  };
}
