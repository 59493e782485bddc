import { mapWhole } from '../../kit/records/map-records.ts';
import { profileRecord } from '../../kit/records/profile-record.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { weightRecords } from '../../kit/records/typed-weight.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { app } from '../wahoo.ts';

const sexes: Readonly<Record<string, string>> = { 0: 'male', 1: 'female' };
const genders: Readonly<Record<string, string>> = { ...sexes, 2: 'other' };

/** `/v1/user`: the profile, heights in metres, and the weight that was entered. */
export function mapUser(body: unknown, context: RecordMaker): MappedRecords {
  return mapWhole('profile', () => {
    const user = new JsonNode(body);
    user.at('id').id();
    const gender = user.at('gender').optional((node) => String(node.number()));
    const metres = user.at('height').optional((node) => node.amount()) ?? 0;
    const birth = user.at('birth').optional((node) => node.day());
    const profile = profileRecord(context, {
      raw: user,
      sourceType: app,
      height: metres === 0 ? null : Math.round(metres * 100),
      birthDate: birth,
      sex: gender === null ? null : (sexes[gender] ?? null),
      gender: gender === null ? null : (genders[gender] ?? null),
    });
    return [profile, ...weightRecords(user.at('weight'), user, context)];
  });
}
