import type { Quarantined } from '@pulsewire/contract';
import type { JsonNode } from '../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../kit/types/connector.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';

/** Maps one page of a list. */
export type ListMapper = (body: unknown, window: PullWindow, context: RecordMaker) => MappedRecords;

/** All lists use zero for missing measurements. */
export function measured(node: JsonNode): number | null {
  return node.optional((given) => given.amount()) || null;
}

/** Factor of a unit that the envelope names by number; a number that is not listed quarantines the page. */
export function unitFactor(node: JsonNode, factors: readonly number[], resource: string, quarantined: Quarantined[]): number | null {
  const factor = factors[Number(node.value ?? 0)];
  if (factor !== undefined) return factor;
  quarantined.push({ resource, reason: 'unknown_shape', pointer: node.pointer });
  return null;
}
