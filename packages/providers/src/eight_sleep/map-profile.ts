import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { dayToMs } from '../kit/time/days.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { JsonNode, readWhole } from '../kit/values/json-node.ts';
import { app } from './eight-sleep.ts';

const genders = ['male', 'female', 'other'];

/** `/users/me`: birth date and gender; `na` means that none was given. */
export function mapProfile(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const profile = readWhole('profile', quarantined, (): CanonicalRecord => {
    const user = new JsonNode(body).at('user');
    user.at('userId').id();
    const gender = user.at('gender').value;
    const isKnown = typeof gender === 'string' && genders.includes(gender);
    // Only the date part is meaningful.
    const born = user.at('dob').optional((node) => node.text().slice(0, 10)) ?? '';
    return context.summary({
      resource: 'profile',
      sourceType: app,
      externalId: 'profile',
      calendarDate: null,
      // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
      at: 0,
      raw: user,
      data: {
        height: null,
        birth_date: dayToMs(born) === undefined ? null : born,
        gender: isKnown ? gender : null,
        sex: isKnown ? gender : null,
      },
    });
  });
  return { records: profile === undefined ? [] : [profile], quarantined };
}
