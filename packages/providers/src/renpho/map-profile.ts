import type { CanonicalRecord } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { dayToMs } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { sources } from './renpho.ts';

const centimetersPerInch = 2.54;
const inches = 2;
const sexes: readonly unknown[] = ['female', 'male'];

/** The profile from the login response. */
export function mapProfile(context: RecordMaker): CanonicalRecord {
  const { height, height_unit: unit, birthday, gender } = context.user.account;
  const size = Number(height ?? 0);
  const centimeters = Number(unit) === inches ? size * centimetersPerInch : size;
  const birthDate = typeof birthday === 'string' ? birthday.slice(0, 10) : '';
  const sex = sexes[Number(gender ?? -1)] ?? null;
  return context.summary({
    // The facts have the login's names; there is no other response.
    raw: new JsonNode({ height, height_unit: unit, birthday, gender }),
    resource: 'profile',
    sourceType: sources.app,
    externalId: 'profile',
    calendarDate: null,
    // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
    at: 0,
    data: {
      height: Number.isFinite(centimeters) && centimeters > 0 ? Math.round(centimeters) : null,
      birth_date: dayToMs(birthDate) === undefined ? null : birthDate,
      gender: sex,
      sex,
    },
  });
}
