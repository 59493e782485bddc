import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';

/** Month first. */
function birthDate(iso: string): string {
  const [year, month, day] = iso.split('-');
  return `${month}/${day}/${year}`;
}

function profile({ account }: UserCall): ApiResponse {
  const { person, providerUserId } = account;
  const [firstName = '', lastName = ''] = person.name.split(' ');
  return {
    body: {
      id: Number(providerUserId),
      firstName,
      lastName,
      male: person.sex === 'male',
      dob: birthDate(person.birthDate),
      age: 37,
      height: person.heightCm * 10,
      weight: 71_400,
      ftp: 230,
      totalDistance: 1_234_567,
    },
  };
}

/** Others' profiles are not shown. */
export function assertOwn({ params, account }: UserCall): void {
  if (params['id'] !== account.providerUserId) throw new RefusalError('not_found', 'No such profile');
}

export const profileRoutes: readonly ApiRoute[] = [
  { kind: 'me', method: 'GET', path: '/api/profiles/me', auth: 'user', respond: profile },
  {
    kind: 'profile',
    method: 'GET',
    path: '/api/profiles/:id',
    auth: 'user',
    respond(call) {
      assertOwn(call);
      return profile(call);
    },
  },
];
