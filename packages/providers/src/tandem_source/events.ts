import type { Quarantined } from '@pulsewire/contract';
import { parseWallClock } from '../kit/time/time.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';

/** Codes of events that become records. */
export const eventCodes = {
  bgEntry: 16,
  bolusCompleted: 20,
  extendedCompleted: 21,
  bolusActivated: 55,
  bolusRequest: 64,
  bolusOptions: 65,
  bolusSizes: 66,
  basalDelivery: 279,
  /** Readings of sensors: Dexcom G6 and G7, Libre 2, Libre 3. */
  sensors: [256, 372, 399, 477, 480, 486],
} as const;

/** Every requested code; the server sends others nevertheless. */
export const wantedCodes: readonly number[] = Object.values(eventCodes).flat();

/** An event of a pump. Times are wall clocks of the pump, read as if they were UTC. */
export interface PumpEvent {
  readonly code: number;
  readonly wallMs: number;
  /** Orders events of the same second. */
  readonly sequence: number;
  readonly properties: JsonNode;
}

const wanted = new Set(wantedCodes);

function readEvent(event: JsonNode): PumpEvent | undefined {
  const code = event.at('eventCode').number();
  if (!wanted.has(code)) return undefined;
  return {
    code,
    wallMs: event.at('pumpDateTime').time(parseWallClock),
    sequence: event.at('sequenceNumber').number(),
    properties: event.at('eventProperties'),
  };
}

/** The events of a log that become records, oldest first. The filter of the request has no effect, so others are left out here. */
export function readEvents(body: unknown, quarantined: Quarantined[]): PumpEvent[] {
  const events = readEach('insulin_injection', new JsonNode(body).at('events'), quarantined, readEvent);
  return events.toSorted((a, b) => a.wallMs - b.wallMs || a.sequence - b.sequence);
}
