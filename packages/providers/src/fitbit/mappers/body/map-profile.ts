import type { Quarantined, Summary } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../../../kit/values/json-node.ts';
import { fitbitSummaryId, sourceOf, type MapContext, type Mapped } from '../../context/map-context.ts';

const genders: Readonly<Record<string, string>> = { FEMALE: 'female', MALE: 'male' };

/** The answer of `/1/user/-/profile.json` as the profile. A height of 0 means that the user gave none. */
export function mapProfile(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const record = readWhole('profile', quarantined, (): Summary => {
    const user = new JsonNode(body).at('user');
    // Without any id in it this is no profile, whatever else it is.
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
      // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
      at: 0,
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
