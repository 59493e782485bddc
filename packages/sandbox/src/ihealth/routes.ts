import { dateOf } from '../model/calendar.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { checkClient } from '../kit/oauth/client-auth.ts';
import { files, type IhealthFile } from './files.ts';

const pageLength = 50;
const daySeconds = 86_400;

/** What the portal issues: a serial for the application, and a secret for each list. */
export const portalKeys = {
  sc: 'serial',
  svBp: 'secret-of-bp',
  svGlucose: 'secret-of-glucose',
  svSpo2: 'secret-of-spo2',
  svWeight: 'secret-of-weight',
  svActivity: 'secret-of-activity',
  svSleep: 'secret-of-sleep',
  svSport: 'secret-of-sport',
} as const;

/** The constants that the portal issues, and the application's own. */
function checkApplication({ query, parts, params }: UserCall): void {
  const list = (params['file'] ?? '').replace('.json', '');
  const isRight = query.get('sc') === portalKeys.sc && query.get('sv') === `secret-of-${list}`;
  if (!isRight) throw invalid('sc or sv is wrong');
  if (checkClient(parts.applications, query.get('client_id') ?? '', query.get('client_secret') ?? '')) return;
  throw new RefusalError('client_invalid', 'client_id or client_secret is wrong');
}

/** A range of wall clocks; the end date of workouts is exclusive. */
function rangeOf({ query }: UserCall, { name }: IhealthFile): readonly [from: number, to: number] {
  const [from, to] = [Number(query.get('start_time') ?? Number.NaN), Number(query.get('end_time') ?? Number.NaN)];
  if (!(to >= from)) throw invalid('start_time and end_time are wrong');
  return [from, name === 'sport' ? to - daySeconds : to];
}

function fileOf({ params }: UserCall): IhealthFile {
  const found = files.find(({ name }) => `${name}.json` === params['file']);
  if (!found) throw new RefusalError('not_found', 'No such file');
  return found;
}

/** The oldest file writes one name with blanks around it, and its count as a text. */
function countOf(listKey: string, count: number): object {
  return listKey === 'BPDataList' ? { ' CurrentRecordCount ': String(count) } : { CurrentRecordCount: count };
}

/** A page of a file. The count of a page is unreliable: it is higher than the number of items. */
function read(call: UserCall): ApiResponse {
  const { account, grant, params, query } = call;
  const { person } = account;
  checkApplication(call);
  if (params['user'] !== account.providerUserId) throw new RefusalError('token_invalid', 'Token is invalid');
  const file = fileOf(call);
  if (!grant.scopes.includes(file.api)) throw new RefusalError('scope_missing', 'The user has not authorized the API');
  const [from, to] = rangeOf(call, file);
  // The days of a range of wall clocks; a night belongs to the day of its end.
  const day = (seconds: number) => dateOf(Math.floor(seconds / daySeconds));
  const items = person
    .days(day(from - daySeconds), day(to + daySeconds))
    .flatMap((known) => file.of(person, known))
    .filter((item) => Number(item[file.timeKey]) >= from && Number(item[file.timeKey]) <= to)
    .toReversed();
  const page = Number(query.get('page_index') ?? 1);
  const shown = items.slice((page - 1) * pageLength, page * pageLength);
  const hasMore = page * pageLength < items.length;
  const link = (index: number) => `${call.parts.url()}${call.path}?page_index=${index}%26start_time=${from}`;
  return {
    body: {
      [file.listKey]: shown,
      ...file.unit?.(person),
      ...countOf(file.listKey, shown.length + (items.length % 2)),
      NextPageUrl: hasMore ? link(page + 1) : '',
      PageLength: pageLength,
      PageNumber: page,
      PrevPageUrl: page > 1 ? link(page - 1) : '',
      RecordCount: items.length + (items.length % 2),
    },
  };
}

/** Servers accept the path in upper or lower case. */
export const fileRoutes: readonly ApiRoute[] = ['openapiv2', 'OpenApiV2'].map((root) => ({
  kind: 'file',
  method: 'GET',
  path: `/${root}/user/:user/:file/`,
  auth: 'user',
  respond: read,
}));
