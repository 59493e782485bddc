import type { CanonicalRecord } from '@pulsewire/contract';
import type { JsonNode } from '../values/json-node.ts';
import type { RecordMaker } from './record-maker.ts';

/** The profile of an account. */
export interface ProfileFacts {
  /** The part of the response that describes it. */
  readonly raw: JsonNode;
  readonly sourceType: string;
  /** Whole centimetres; null: unknown. */
  readonly height: number | null;
  /** `YYYY-MM-DD`. */
  readonly birthDate: string | null;
  readonly sex: string | null;
  /** Default: the same as `sex`. */
  readonly gender?: string | null;
}

/** A profile has no time: a fixed id and instant keep an unchanged profile unchanged. */
export function profileRecord(
  context: RecordMaker,
  { raw, sourceType, height, birthDate, sex, gender = sex }: ProfileFacts,
): CanonicalRecord {
  return context.summary({
    raw,
    resource: 'profile',
    sourceType,
    externalId: 'profile',
    calendarDate: null,
    at: 0,
    data: { height, birth_date: birthDate, gender, sex },
  });
}
