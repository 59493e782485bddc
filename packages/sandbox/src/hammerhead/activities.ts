import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { fitFileOf } from '../kit/http/fit-file.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { detailsOf, idOf, listedOf, ridesOf, type Ride } from './rides.ts';

const perPageDefault = 50;
const perPageMax = 100;
const fifteenMinutes = 900_000;
const hammerheadManufacturer = 289;

/** Others' rides are not shown. */
function assertOwn({ params, account }: UserCall): void {
  if (params['user'] !== account.providerUserId) throw new RefusalError('forbidden', 'Forbidden');
}

/** Page 0 is the first as well. */
function list(call: UserCall): ApiResponse {
  assertOwn(call);
  const { account, query, path, parts } = call;
  const perPage = Number(query.get('perPage') ?? query.get('per_page') ?? perPageDefault);
  const page = Math.max(1, Number(query.get('page') ?? 1));
  if (!Number.isInteger(perPage) || perPage < 1 || perPage > perPageMax || !Number.isInteger(page)) throw invalid('Invalid page');
  const rides = ridesOf(account).toReversed();
  const totalPages = Math.ceil(rides.length / perPage);
  const linkTo = (number: number) => `${parts.url()}${path}?page=${number}&per_page=${perPage}`;
  return {
    body: {
      paging: { self: linkTo(page), next: page < totalPages ? linkTo(page + 1) : null, first: linkTo(1), last: linkTo(totalPages) },
      totalItems: rides.length,
      totalPages,
      perPage,
      currentPage: page,
      data: rides.slice((page - 1) * perPage, page * perPage).map((ride) => listedOf(account, ride)),
    },
  };
}

function find(call: UserCall): Ride {
  assertOwn(call);
  const found = ridesOf(call.account).find((ride) => idOf(call.account, ride) === call.params['id']);
  if (!found) throw new RefusalError('not_found', 'Activity not found');
  return found;
}

/** Rides without a file have its readings in their details all the same. */
const hasFile = ({ workout }: Ride): boolean => workout.sport !== 'running' || Number(workout.id) % 2 === 0;

/** A ride that has just ended has no file yet; one typed in never has, and some others do not either. */
function file(call: UserCall): ApiResponse {
  if (call.query.get('format') !== 'fit') throw invalid('Unknown format');
  const { person } = call.account;
  const ride = find(call);
  const { workout, isIndoor } = ride;
  if (isIndoor) throw new RefusalError('not_found', 'No file', { status: 422 });
  if (!hasFile(ride)) throw new RefusalError('not_found', 'No file');
  const readyMs = workout.endMs + fifteenMinutes;
  if (readyMs > person.syncedMs()) throw new RefusalError('conflict', 'Not processed yet', { status: 425 });
  if (readyMs + fifteenMinutes > person.syncedMs()) throw new RefusalError('conflict', 'The file is being written');
  return { bytes: fitFileOf(workout, person.zone, hammerheadManufacturer), contentType: 'application/vnd.ant.fit' };
}

const get = { method: 'GET', auth: 'user' } as const;
const root = '/users/:user/activities';

export const activityRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'activities', path: root, respond: list },
  { ...get, kind: 'details', path: `${root}/:id/details`, respond: (call: UserCall) => ({ body: detailsOf(call.account, find(call)) }) },
  { ...get, kind: 'file', path: `${root}/:id/file`, respond: file },
];
