import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { weightRecords } from '../../kit/records/typed-weight.ts';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { app } from '../wahoo.ts';

const sexes: Readonly<Record<string, string>> = { 0: 'male', 1: 'female' };
const genders: Readonly<Record<string, string>> = { ...sexes, 2: 'other' };

/** `/v1/user`: the profile, heights in metres, and the weight that was entered. */
export function mapUser(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const records = readWhole('profile', quarantined, (): CanonicalRecord[] => {
    const user = new JsonNode(body);
    user.at('id').id();
    const gender = user.at('gender').optional((node) => String(node.number()));
    const metres = user.at('height').optional((node) => node.amount()) ?? 0;
    const birth = user.at('birth').optional((node) => node.day());
    const profile = context.summary({
      raw: user,
      resource: 'profile',
      sourceType: app,
      externalId: 'profile',
      calendarDate: null,
      // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
      at: 0,
      data: {
        height: metres === 0 ? null : Math.round(metres * 100),
        birth_date: birth,
        gender: gender === null ? null : (genders[gender] ?? null),
        sex: gender === null ? null : (sexes[gender] ?? null),
      },
    });
    return [profile, ...weightRecords(user.at('weight'), user, context)];
  });
  return { records: records ?? [], quarantined };
}
