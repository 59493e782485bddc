import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { dayToMs } from '../kit/time/days.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { JsonNode, readWhole } from '../kit/values/json-node.ts';
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
  const quarantined: Quarantined[] = [];
  const record = readWhole('user', quarantined, (): CanonicalRecord | null => {
    const user = new JsonNode(body).at('item');
    user.at('id').id();
    const own = user
      .at('profiles')
      .itemsOrNone()
      .find((profile) => profile.at('type').value === 'user');
    if (own === undefined) return null;
    const sex = sexes.get(own.at('sex').value) ?? null;
    const born = own.at('birthdate').optional((node) => node.text());
    return context.summary({
      resource: 'profile',
      sourceType: app,
      externalId: 'profile',
      calendarDate: null,
      // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
      at: 0,
      raw: own,
      data: {
        height: readHeight(own.at('height')),
        birth_date: born !== null && dayToMs(born) !== undefined ? born : null,
        gender: sex,
        sex,
      },
    });
  });
  return { records: record === undefined || record === null ? [] : [record], quarantined };
}
