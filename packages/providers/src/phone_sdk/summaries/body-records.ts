import { createRecordMaker } from '../../kit/records/record-maker.ts';
import { dayAt } from '../read-item.ts';
import type { NightOwner } from './sleep-nights.ts';
import type { BuiltRecord, PhoneBodyValue } from '../types.ts';

const fields: Readonly<Record<string, string>> = {
  weight: 'weight',
  fat: 'fat',
  body_mass_index: 'body_mass_index',
  lean_body_mass: 'lean_body_mass_kilogram',
  waist_circumference: 'waist_circumference_centimeter',
};

/** Series whose values make up a weighing. */
export const bodySeries: readonly string[] = Object.keys(fields);

const keyOf = ({ sourceType, atMs }: Pick<PhoneBodyValue, 'sourceType' | 'atMs'>) => `${atMs} ${sourceType}`;

/** The body summary of each of these instants of a source, or its removal where no value is left. */
export function bodyRecords(
  { userId, provider }: NightOwner,
  instants: readonly Pick<PhoneBodyValue, 'sourceType' | 'atMs'>[],
  values: readonly PhoneBodyValue[],
): BuiltRecord[] {
  const maker = createRecordMaker(provider, { userId, fallbackTimeZone: null, providerUserId: '', grantedScopes: [], account: {} });
  const measured = Map.groupBy(values, keyOf);
  return instants.map((instant) => {
    const { sourceType, atMs } = instant;
    const ids = { resource: 'body', sourceType, externalId: new Date(atMs).toISOString() };
    const own = (measured.get(keyOf(instant)) ?? []).toSorted((a, b) => bodySeries.indexOf(a.resource) - bodySeries.indexOf(b.resource));
    if (own.length === 0) return maker.removal(ids);
    const offset = own.find((value) => value.offset !== null)?.offset ?? null;
    const data = Object.fromEntries(own.map(({ resource, value }) => [fields[resource] ?? resource, value]));
    return maker.summary({ ...ids, calendarDate: dayAt(atMs, offset), at: atMs, data });
  });
}
