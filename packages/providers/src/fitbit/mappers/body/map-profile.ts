import type { Quarantined, Summary } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../../../kit/values/json-node.ts';
import { fitbitSummaryId, sourceOf, type MapContext, type Mapped } from '../../context/map-context.ts';

const genders: Readonly<Record<string, string>> = { FEMALE: 'female', MALE: 'male' };

/** Maps the response of `/1/user/-/profile.json` to the profile. A height of 0 means that the user entered none. */
export function mapProfile(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const record = readWhole('profile', quarantined, (): Summary => {
    const user = new JsonNode(body).at('user');
    // A response without any id is not a profile.
    user.at('encodedId').id();
    const gender = user.at('gender').optional((node) => node.text());
    const sex = gender !== null && Object.hasOwn(genders, gender) ? (genders[gender] ?? null) : null;
    const height = user.at('height').optional((node) => Math.round(node.amount()));
    const source = sourceOf('app');
    return {
      kind: 'summary',
      id: fitbitSummaryId(context, source, 'profile', 'profile'),
      resource: 'profile',
      source,
      calendarDate: null,
      // A profile has no time; with a fixed instant, an unchanged profile remains the same record.
      at: 0,
      raw: { externalId: 'profile', data: user.value },
      data: {
        height: height === 0 ? null : height,
        birth_date: user.at('dateOfBirth').optional((node) => (node.value === '' ? null : node.day())),
        gender: sex,
        sex,
      },
    };
  });
  return { records: record === undefined ? [] : [record], quarantined };
}
