import { mapWhole } from '../kit/records/map-records.ts';
import { profileRecord } from '../kit/records/profile-record.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { sources } from './peloton.ts';

const centimetersPerInch = 2.54;

/** Height in inches, birthday as an epoch; 0 means not set. */
export function mapProfile(body: unknown, context: RecordMaker): MappedRecords {
  return mapWhole('profile', () => {
    const root = new JsonNode(body);
    root.at('id').id();
    const inches = root.at('height').optional((node) => node.amount()) ?? 0;
    const born = root.at('birthday').optional((node) => node.number()) ?? 0;
    const gender = root.at('gender').value;
    const sex = gender === 'male' || gender === 'female' ? gender : null;
    return profileRecord(context, {
      raw: root,
      sourceType: sources.app,
      height: inches === 0 ? null : Math.round(inches * centimetersPerInch),
      birthDate: born === 0 ? null : msToDay(born * 1000),
      sex,
    });
  });
}
