import { mapWhole } from '../kit/records/map-records.ts';
import { profileRecord } from '../kit/records/profile-record.ts';
import { dayToMs } from '../kit/time/days.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { app } from '../kit/my-fitness-pal/items.ts';

const centimetresPer: Readonly<Record<string, number>> = { inches: 2.54, feet: 30.48, centimeters: 1, meters: 100 };
const sexes: ReadonlyMap<unknown, string> = new Map([
  ['F', 'female'],
  ['M', 'male'],
]);

/** Whole centimetres; null when the height is missing, zero or in an unknown unit. */
function readHeight(height: JsonNode): number | null {
  const unit = height.at('unit').value;
  const factor = typeof unit === 'string' && Object.hasOwn(centimetresPer, unit) ? centimetresPer[unit] : undefined;
  const value = height.at('value').optional((node) => node.amount()) ?? 0;
  return factor === undefined || value === 0 ? null : Math.round(value * factor);
}

/** The user's own profile: birth date, sex and height. Coaches have another one beside it. */
export function mapProfile(body: unknown, context: RecordMaker): MappedRecords {
  return mapWhole('user', () => {
    const user = new JsonNode(body).at('item');
    user.at('id').id();
    const own = user
      .at('profiles')
      .itemsOrNone()
      .find((profile) => profile.at('type').value === 'user');
    if (own === undefined) return undefined;
    const sex = sexes.get(own.at('sex').value) ?? null;
    const born = own.at('birthdate').optional((node) => node.text());
    return profileRecord(context, {
      raw: own,
      sourceType: app,
      height: readHeight(own.at('height')),
      birthDate: born !== null && dayToMs(born) !== undefined ? born : null,
      sex,
    });
  });
}
