import type { Quarantined } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import { readEvents } from './events.ts';
import { mapBasal } from './map-basal.ts';
import { mapBoluses } from './map-boluses.ts';
import { mapGlucose } from './map-glucose.ts';

/**
 * The log of one pump: glucose, insulin and carbohydrates of the window. It must reach a day beyond the window on both sides, because a
 * bolus or a rate may end after it, and a reading may be logged later.
 */
export function mapLog(body: unknown, window: PullWindow & { readonly untilWallMs: number }, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('events');
  const events = readEvents(body, quarantined);
  const mapped = [
    mapGlucose(events, list, window, context),
    mapBoluses(events, list, window, context),
    mapBasal(events, list, window, context),
  ];
  return {
    records: mapped.flatMap(({ records }) => records),
    quarantined: [...quarantined, ...mapped.flatMap((part) => part.quarantined)],
  };
}
