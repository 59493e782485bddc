import type { SourceRef } from '@pulsewire/contract';
import { summaryId } from '../kit/values/ids.ts';
import { leaveOutValue, type Collected } from './collected.ts';
import { numberOf, spanOf, textOf } from './read-item.ts';
import { as, typeName } from './series.ts';
import type { PhoneItem, PhoneUser } from './types.ts';

/** Types of records that are part of the profile; the last is of exports. */
export const profileTypes: ReadonlySet<string> = new Set(['Height', 'HEIGHT', 'Characteristics']);

const toMetres = as('m');
const sexes: readonly unknown[] = ['female', 'male', 'other'];

/** Centimetres; null when the item has no height of a person. */
function heightOf(item: PhoneItem, to: Collected): number | null {
  const value = numberOf(item['value']);
  const metres = value === null ? null : toMetres(value, textOf(item['unit']) ?? '', item);
  if (metres !== null && metres > 0.3 && metres < 3) return Math.round(metres * 100);
  leaveOutValue(to, value, metres, item);
  return null;
}

function birthDateOf(item: PhoneItem, { receivedAtMs }: PhoneUser, to: Collected): string | null {
  const text = textOf(item['birthDate']);
  if (text === null) return null;
  const ms = /^(?:19|20)\d{2}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (ms <= receivedAtMs && new Date(ms).toISOString().startsWith(text)) return text;
  to.leaveOut('bad_time');
  return null;
}

/** The profile, of which there is one: the newest height, and birth date and sex of an export. */
export function keepProfile(items: readonly PhoneItem[], user: PhoneUser, to: Collected): void {
  const isPerson = (item: PhoneItem) => typeName(textOf(item['type']) ?? '') === 'Characteristics';
  const newest = items
    .filter((item) => !isPerson(item))
    .toSorted((a, b) => (spanOf(a)?.startMs ?? 0) - (spanOf(b)?.startMs ?? 0))
    .at(-1);
  const person = items.findLast(isPerson);
  const height = newest ? heightOf(newest, to) : null;
  const birthDate = person ? birthDateOf(person, user, to) : null;
  const sex = person && sexes.includes(person['sex']) ? person['sex'] : null;
  if (height === null && birthDate === null && sex === null) return;
  const source: SourceRef = { provider: user.provider, type: 'app', appId: null, deviceId: null };
  to.keep({
    kind: 'summary',
    id: summaryId({ userId: user.userId, provider: user.provider, sourceType: 'app', resource: 'profile', externalId: 'profile' }),
    resource: 'profile',
    source,
    calendarDate: null,
    at: 0,
    data: { height, birth_date: birthDate, gender: null, sex },
  });
}
