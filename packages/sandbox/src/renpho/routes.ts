import { dayNumber } from '../model/calendar.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid } from '../kit/parts/refusal.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { opened, sealed } from './envelope.ts';
import { userOf } from './login.ts';
import { girthOf, othersOf, weighingOf, type Row } from './records.ts';

const tables = 24n;
const pageSizeMax = 100;

const tableOf = ({ providerUserId }: SimAccount) => `measurements_info_${BigInt(providerUserId) % tables}`;
const daysOf = ({ person }: SimAccount) => person.days(person.firstDate, person.today());

/** The number under which a scale lists its members, which for `Listed` people is not that of the sign-in. */
const listedNumber = ({ name, providerUserId }: SimAccount) =>
  name.startsWith('Listed ') ? String(BigInt(providerUserId) + 7n) : providerUserId;

/** Half of the people have an account whose tables are not listed; the counts of the others are unreliable. */
function count({ account }: UserCall): ApiResponse {
  const isListed = account.person.sex === 'female' || account.name.startsWith('Listed ');
  const scale = isListed ? [{ tableName: tableOf(account), userIds: [`#${listedNumber(account)}`], count: 0 }] : [];
  return sealed({ scale, girth: daysOf(account).flatMap((day) => girthOf(account, day)).length, treadmill: [] });
}

function pageOf(given: Readonly<Record<string, unknown>>, rows: readonly Row[]): readonly Row[] {
  const [page, size] = [Number(given['pageNum']), Number(given['pageSize'])];
  if (!(page >= 1) || !(size >= 1) || size > pageSizeMax) throw invalid('pageNum or pageSize is wrong');
  return rows.slice((page - 1) * size, page * size);
}

/** The rows of a table, oldest first. `isShown`: on which days a call has them. */
function rowsOf(call: UserCall, isShown: (variant: number) => boolean): readonly Row[] {
  const { account, json } = call;
  const given = opened(json);
  const requested = Array.isArray(given['userIds']) ? given['userIds'].map(String) : [];
  if (given['tableName'] !== tableOf(account) || !requested.includes(listedNumber(account))) return [];
  const isOfDay = ({ date }: PersonDay) => isShown(dayNumber(date) % 3);
  const rows = daysOf(account)
    .filter(isOfDay)
    .flatMap((day) => [...weighingOf(account, day), ...othersOf(account, day)])
    .map((row) =>
      row['bUserId'] === `#${account.providerUserId}` ? { ...row, bUserId: `#${listedNumber(account)}`, subUserId: null } : row,
    );
  return pageOf(given, rows);
}

/** A third of the rows is in the first list, a third in the second, and the others in both. */
const isInFirst = (variant: number) => variant !== 1;
const isInSecond = (variant: number) => variant !== 0;

function girths({ account, json }: UserCall): ApiResponse {
  return sealed(
    pageOf(
      opened(json),
      daysOf(account).flatMap((day) => girthOf(account, day)),
    ),
  );
}

function tokenTime({ account, headers, parts }: UserCall): ApiResponse {
  const token = String(headers['token']);
  const { issuedAtMs = 0, expiresAtMs } = parts.grants.lifetime(token) ?? {};
  return sealed({ issAt: issuedAtMs, expAt: expiresAtMs, userId: `#${account.providerUserId}`, token });
}

const post = { method: 'POST', auth: 'user' } as const;
const app = '/RenphoHealth';

export const dataRoutes: readonly ApiRoute[] = [
  { ...post, kind: 'count', path: '/renpho-aggregation/device/count', respond: count },
  {
    ...post,
    kind: 'composition',
    path: `${app}/scale/queryBodyCompositionMeasureData`,
    respond: (call: UserCall) => sealed({ list: rowsOf(call, isInFirst) }),
  },
  {
    ...post,
    kind: 'measurements',
    path: `${app}/scale/queryAllMeasureDataList`,
    respond(call: UserCall) {
      const rows = rowsOf(call, isInSecond);
      return sealed(rows.length === 0 ? null : rows);
    },
  },
  { ...post, kind: 'girths', path: `${app}/renpho/girth/queryAllGirthsDataList`, respond: girths },
  {
    ...post,
    kind: 'family',
    path: `${app}/centerUser/queryFamilyMemberList`,
    respond: ({ account }: UserCall) => sealed([userOf(account)]),
  },
  { ...post, kind: 'token', path: `${app}/app/sync/getTokenTime`, respond: tokenTime },
];
