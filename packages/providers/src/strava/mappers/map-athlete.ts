import { mapWhole } from '../../kit/records/map-records.ts';
import { profileRecord } from '../../kit/records/profile-record.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { weightRecords } from '../../kit/records/typed-weight.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { app, type StravaContext } from '../strava.ts';

const sexes: Readonly<Record<string, string>> = { M: 'male', F: 'female' };

/** `/athlete`: the profile, and the weight (kg) if the full profile scope was granted. */
export function mapAthlete(body: unknown, context: StravaContext): MappedRecords {
  return mapWhole('profile', () => {
    const athlete = new JsonNode(body);
    athlete.at('id').id();
    const sex = athlete.at('sex').optional((node) => sexes[node.text()] ?? null);
    const profile = profileRecord(context, { raw: athlete, sourceType: app, height: null, birthDate: null, sex });
    return [profile, ...weightRecords(athlete.at('weight'), athlete, context)];
  });
}
