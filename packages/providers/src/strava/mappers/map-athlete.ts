import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import { weightRecords } from '../../kit/records/typed-weight.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { app, type StravaContext } from '../strava.ts';

const sexes: Readonly<Record<string, string>> = { M: 'male', F: 'female' };

/** `/athlete`: the profile, and the weight (kg) if the full profile scope was granted. */
export function mapAthlete(body: unknown, context: StravaContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const records = readWhole('profile', quarantined, (): CanonicalRecord[] => {
    const athlete = new JsonNode(body);
    athlete.at('id').id();
    const sex = athlete.at('sex').optional((node) => sexes[node.text()] ?? null);
    const profile = context.summary({
      raw: athlete,
      resource: 'profile',
      sourceType: app,
      externalId: 'profile',
      calendarDate: null,
      // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
      at: 0,
      data: { height: null, birth_date: null, gender: sex, sex },
    });
    return [profile, ...weightRecords(athlete.at('weight'), athlete, context)];
  });
  return { records: records ?? [], quarantined };
}
