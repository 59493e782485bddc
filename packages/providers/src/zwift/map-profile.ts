import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { dayToMs } from '../kit/time/days.ts';
import { JsonNode, readWhole } from '../kit/values/json-node.ts';
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
  const quarantined: Quarantined[] = [];
  const profile = readWhole('profile', quarantined, (): CanonicalRecord => {
    const root = new JsonNode(body);
    root.at('id').id();
    const millimetres = root.at('height').optional((node) => node.amount()) ?? 0;
    const isMale = root.at('male').value;
    const sex = typeof isMale === 'boolean' ? (isMale ? 'male' : 'female') : null;
    return context.summary({
      raw: root,
      resource: 'profile',
      sourceType: app,
      externalId: 'profile',
      calendarDate: null,
      // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
      at: 0,
      data: {
        height: millimetres === 0 ? null : Math.round(millimetres / 10),
        birth_date: readBirthDate(root.at('dob')),
        gender: sex,
        sex,
      },
    });
  });
  return { records: profile === undefined ? [] : [profile], quarantined };
}
