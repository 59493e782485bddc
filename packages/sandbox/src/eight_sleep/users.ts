import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';

const deviceId = '0123456789abcdef01234567';

/** Others' data is not shown. */
export function assertOwn({ params, account }: UserCall): void {
  if (params['id'] !== account.providerUserId) throw new RefusalError('not_found', 'No such user');
}

/** In newer responses the zone is that of the bed. */
function user({ account: { name, email, person, providerUserId } }: UserCall): ApiResponse {
  const [firstName = '', lastName = ''] = name.split(' ');
  const isOld = name.length % 2 === 0;
  return {
    body: {
      user: {
        userId: providerUserId,
        email,
        firstName,
        lastName,
        gender: person.sex,
        dob: `${person.birthDate}T00:00:00.000Z`,
        ...(isOld && { timezone: person.zone.name }),
        currentDevice: { id: deviceId, side: 'left', timeZone: person.zone.name, specialization: 'pod' },
        devices: [deviceId],
        features: ['cooling'],
        sharingMetricsTo: [],
        sharingMetricsFrom: [],
      },
    },
  };
}

function device({ account: { person, providerUserId } }: UserCall): ApiResponse {
  return {
    body: { result: { leftUserId: providerUserId, rightUserId: null, awaySides: {}, modelString: 'Pod 3', timezone: person.zone.name } },
  };
}

const get = { method: 'GET', auth: 'user' } as const;

export const userRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'me', path: '/users/me', respond: user },
  {
    ...get,
    kind: 'user',
    path: '/users/:id',
    respond(call: UserCall) {
      assertOwn(call);
      return user(call);
    },
  },
  { ...get, kind: 'device', path: '/devices/:device', respond: device },
];
