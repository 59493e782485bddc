import type { CanonicalRecord } from '@pulsewire/contract';
import { profileRecord } from '../kit/records/profile-record.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { dayToMs } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { sources } from './renpho.ts';

const centimetersPerInch = 2.54;
const inches = 2;
const sexes: readonly string[] = ['female', 'male'];

/** The profile from the login response. */
export function mapProfile(context: RecordMaker): CanonicalRecord {
  const { height, height_unit: unit, birthday, gender } = context.user.account;
  const size = Number(height ?? 0);
  const centimeters = Number(unit) === inches ? size * centimetersPerInch : size;
  const birthDate = typeof birthday === 'string' ? birthday.slice(0, 10) : '';
  const sex = sexes[Number(gender ?? -1)] ?? null;
  return profileRecord(context, {
    // The facts have the login's names; there is no other response.
    raw: new JsonNode({ height, height_unit: unit, birthday, gender }),
    sourceType: sources.app,
    height: Number.isFinite(centimeters) && centimeters > 0 ? Math.round(centimeters) : null,
    birthDate: dayToMs(birthDate) === undefined ? null : birthDate,
    sex,
  });
}
