import type { SeenDevice } from '@pulsewire/contract';
import { deviceFields, deviceOf, textOrNull } from '../kit/records/recorded-by.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { parseWallClock } from '../kit/time/time.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { pump as pumpSource } from './tandem.ts';

const pumpsMax = 50;

export interface Pump {
  readonly assignmentId: string;
  /** The newest event, as a wall clock read as UTC. */
  readonly untilWallMs: number;
  /** null without a serial number. */
  readonly device: SeenDevice | null;
}

/** The pumps with events; the list has every pump that a person ever owned, and those without events have null for dates. */
export function readPumps(body: unknown, context: Pick<RecordMaker, 'provider' | 'user'>): Pump[] {
  const pumps = readEach('pump', new JsonNode(body).at('pumps'), [], (pump): Pump | undefined => {
    const newest = pump.at('maxDateOfEvents').optional((node) => node.time(parseWallClock));
    if (newest === null) return undefined;
    const device = deviceOf(context, {
      externalId: textOrNull(pump.at('serialNumber')),
      sourceType: pumpSource,
      manufacturer: 'Tandem',
      model: textOrNull(pump.at('modelName')),
      version: textOrNull(pump.at('softwareVersion')),
      raw: deviceFields(pump, ['assignmentId', 'serialNumber', 'modelNumber', 'modelName', 'partNumber', 'softwareVersion']),
    });
    return { assignmentId: pump.at('assignmentId').id(), untilWallMs: newest, device };
  });
  return pumps.slice(0, pumpsMax);
}
