import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { JsonNode, readWhole } from '../kit/values/json-node.ts';
import { sources } from './peloton.ts';

const centimetersPerInch = 2.54;

/** Height in inches, birthday as an epoch; 0 means not set. */
export function mapProfile(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const profile = readWhole('profile', quarantined, (): CanonicalRecord => {
    const root = new JsonNode(body);
    root.at('id').id();
    const inches = root.at('height').optional((node) => node.amount()) ?? 0;
    const born = root.at('birthday').optional((node) => node.number()) ?? 0;
    const gender = root.at('gender').value;
    const sex = gender === 'male' || gender === 'female' ? gender : null;
    return context.summary({
      raw: root,
      resource: 'profile',
      sourceType: sources.app,
      externalId: 'profile',
      calendarDate: null,
      // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
      at: 0,
      data: {
        height: inches === 0 ? null : Math.round(inches * centimetersPerInch),
        birth_date: born === 0 ? null : msToDay(born * 1000),
        gender: sex,
        sex,
      },
    });
  });
  return { records: profile === undefined ? [] : [profile], quarantined };
}
