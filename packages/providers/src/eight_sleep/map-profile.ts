import { mapWhole } from '../kit/records/map-records.ts';
import { profileRecord } from '../kit/records/profile-record.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { dayToMs } from '../kit/time/days.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { app } from './eight-sleep.ts';

const genders = ['male', 'female', 'other'];

/** `/users/me`: birth date and gender; `na` means that none was given. */
export function mapProfile(body: unknown, context: RecordMaker): MappedRecords {
  return mapWhole('profile', () => {
    const user = new JsonNode(body).at('user');
    user.at('userId').id();
    const gender = user.at('gender').value;
    const isKnown = typeof gender === 'string' && genders.includes(gender);
    // Only the date part is meaningful.
    const born = user.at('dob').optional((node) => node.text().slice(0, 10)) ?? '';
    return profileRecord(context, {
      raw: user,
      sourceType: app,
      height: null,
      birthDate: dayToMs(born) === undefined ? null : born,
      sex: isKnown ? gender : null,
    });
  });
}
