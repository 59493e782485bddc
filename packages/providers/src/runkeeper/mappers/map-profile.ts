import { mapWhole } from '../../kit/records/map-records.ts';
import { profileRecord } from '../../kit/records/profile-record.ts';
import { msToDay } from '../../kit/time/days.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { app, parseRunkeeperTime, type RunkeeperContext } from '../runkeeper.ts';

const sexes: Readonly<Record<string, string>> = { M: 'male', F: 'female' };

/** `/profile`: birth date and sex. */
export function mapProfile(body: unknown, context: RunkeeperContext): MappedRecords {
  return mapWhole('profile', () => {
    const root = new JsonNode(body);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw root.fail('unknown_shape');
    const birthday = root.at('birthday').optional((node) => node.time(parseRunkeeperTime));
    const sex = root.at('gender').optional((node) => sexes[node.text()] ?? null);
    if (birthday === null && sex === null) return undefined;
    return profileRecord(context, {
      raw: root,
      sourceType: app,
      height: null,
      birthDate: birthday === null ? null : msToDay(birthday),
      sex,
    });
  });
}
