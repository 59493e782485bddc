import type { Quarantined } from '@pulsewire/contract';
import { msToDay } from '../../kit/time/days.ts';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { app, parseRunkeeperTime, type RunkeeperContext } from '../runkeeper.ts';

const sexes: Readonly<Record<string, string>> = { M: 'male', F: 'female' };

/** `/profile`: birth date and sex. */
export function mapProfile(body: unknown, context: RunkeeperContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const profile = readWhole('profile', quarantined, () => {
    const root = new JsonNode(body);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw root.fail('unknown_shape');
    const birthday = root.at('birthday').optional((node) => node.time(parseRunkeeperTime));
    const sex = root.at('gender').optional((node) => sexes[node.text()] ?? null);
    if (birthday === null && sex === null) return undefined;
    return context.summary({
      raw: root,
      resource: 'profile',
      sourceType: app,
      externalId: 'profile',
      calendarDate: null,
      // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
      at: 0,
      data: { height: null, birth_date: birthday === null ? null : msToDay(birthday), gender: sex, sex },
    });
  });
  return { records: profile ? [profile] : [], quarantined };
}
