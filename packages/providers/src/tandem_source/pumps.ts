import { parseWallClock } from '../kit/time/time.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';

const pumpsMax = 50;

export interface Pump {
  readonly assignmentId: string;
  /** The newest event, as a wall clock read as UTC. */
  readonly untilWallMs: number;
}

/** The pumps with events; the list has every pump that a person ever owned, and those without events have null for dates. */
export function readPumps(body: unknown): Pump[] {
  const pumps = readEach('pump', new JsonNode(body).at('pumps'), [], (pump): Pump | undefined => {
    const newest = pump.at('maxDateOfEvents').optional((node) => node.time(parseWallClock));
    return newest === null ? undefined : { assignmentId: pump.at('assignmentId').id(), untilWallMs: newest };
  });
  return pumps.slice(0, pumpsMax);
}
