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

/** An event of a pump. */
export interface PumpEvent {
  readonly code: number;
  /** Clock of the pump, read as if it were UTC. */
  readonly wallMs: number;
  readonly properties: JsonNode;
}

const wanted = new Set(wantedCodes);

interface LoggedEvent extends PumpEvent {
  readonly group: number;
  readonly sequence: number;
}

function readEvent(event: JsonNode): LoggedEvent | undefined {
  const code = event.at('eventCode').number();
  if (!wanted.has(code)) return undefined;
  return {
    code,
    wallMs: event.at('pumpDateTime').time(parseWallClock),
    group: event.at('sequenceGroup').optional((node) => node.number()) ?? 0,
    sequence: event.at('sequenceNumber').number(),
    properties: event.at('eventProperties'),
  };
}

/**
 * The events of a log that become records, in the order in which the pump wrote them: its clock may be set back. The filter of the request
 * has no effect, so others are left out here.
 */
export function readEvents(body: unknown, quarantined: Quarantined[]): PumpEvent[] {
  const events = readEach('insulin_injection', new JsonNode(body).at('events'), quarantined, readEvent);
  return events.toSorted((a, b) => a.group - b.group || a.sequence - b.sequence);
}
