import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { recordedBy } from '../kit/records/recorded-by.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import { placeEvents } from './clock.ts';
import { readEvents } from './events.ts';
import { mapBasal } from './map-basal.ts';
import { mapBoluses } from './map-boluses.ts';
import { mapGlucose } from './map-glucose.ts';
import type { Pump } from './pumps.ts';

type LogOf = Pick<Pump, 'untilWallMs' | 'device'>;

/**
 * The log of one pump: glucose, insulin and carbohydrates of the window. It must reach a day beyond the window on both sides, because a
 * bolus or a rate may end after it, and a reading may be logged later. What the pump delivered names it; glucose is measured by other devices.
 */
export function mapLog(body: unknown, window: PullWindow, { untilWallMs, device }: LogOf, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('events');
  const events = placeEvents(readEvents(body, quarantined), context);
  const glucose = mapGlucose(events, list, window, context);
  const delivered = [mapBoluses(events, list, window, context), mapBasal(events, list, { ...window, untilWallMs }, context)];
  return {
    records: [
      ...glucose.records,
      ...recordedBy<CanonicalRecord>(
        device,
        delivered.flatMap(({ records }) => records),
      ),
    ],
    quarantined: [...quarantined, ...[glucose, ...delivered].flatMap((part) => part.quarantined)],
  };
}
