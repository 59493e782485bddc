import { mapWhole } from '../kit/records/map-records.ts';
import { profileRecord } from '../kit/records/profile-record.ts';
import { dayToMs } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { app } from './zwift.ts';

const datePattern = /^(\d{2})\/(\d{2})\/(\d{4})$/;

/** `04/12/1988`, month first. */
function readBirthDate(node: JsonNode): string | null {
  const match = typeof node.value === 'string' ? datePattern.exec(node.value) : null;
  const day = match === null ? '' : `${match[3]}-${match[1]}-${match[2]}`;
  return dayToMs(day) === undefined ? null : day;
}

/** The profile: height in millimetres, birth date, sex. Weight and threshold power are settings of the game, without a time. */
export function mapProfile(body: unknown, context: RecordMaker): MappedRecords {
  return mapWhole('profile', () => {
    const root = new JsonNode(body);
    root.at('id').id();
    const millimetres = root.at('height').optional((node) => node.amount()) ?? 0;
    const isMale = root.at('male').value;
    const sex = typeof isMale === 'boolean' ? (isMale ? 'male' : 'female') : null;
    return profileRecord(context, {
      raw: root,
      sourceType: app,
      height: millimetres === 0 ? null : Math.round(millimetres / 10),
      birthDate: readBirthDate(root.at('dob')),
      sex,
    });
  });
}
