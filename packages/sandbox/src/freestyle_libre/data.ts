import { randomBase62 } from '@pulsewire/kernel';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { ApiResponse, ApiCall, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { practiceRegion, regionOfHost } from './regions.ts';
import { dailyLogOf, pageOf } from './report.ts';
import { channelOf, issuePracticeToken, keepChannel } from './patient-tokens.ts';

const libre3 = 40_068;
const dailyLog = 5;
const deviceReport = 500_000;
/** The number of polls until a report is ready. */
const pollsUntilReady = 2;

const deviceOf = (account: SimAccount) => uuidOf(`libre device:${account.name}`);

/** Calls must go to the region of the practice. */
function atHome(respond: (call: UserCall) => ApiResponse): (call: UserCall) => ApiResponse {
  return (call) => {
    if (regionOfHost(call.path) !== practiceRegion) throw new RefusalError('token_invalid', 'MissingOrInvalidToken');
    return respond(call);
  };
}

const isNumberOf = (list: unknown, number: number): boolean => Array.isArray(list) && list.includes(number);
const placeUrl = ({ parts }: ApiCall) => `${parts.url()}/${practiceRegion}`;

function startReport(call: UserCall): ApiResponse {
  const { account, grant, json, parts } = call;
  const body = json as Readonly<Record<string, unknown>>;
  const [start] = (body['StartDates'] ?? []) as unknown[];
  const end = body['EndDate'];
  const isGood =
    body['PrimaryDeviceId'] === deviceOf(account) &&
    body['PrimaryDeviceTypeId'] === libre3 &&
    isNumberOf(body['ReportIds'], deviceReport + libre3) &&
    isNumberOf(body['ClientReportIDs'], dailyLog) &&
    body['GlucoseUnits'] === 0;
  if (!isGood || typeof start !== 'number' || typeof end !== 'number') throw new RefusalError('request_invalid', 'Bad report');
  const id = randomBase62(20);
  const session = issuePracticeToken(parts, grant.clientId);
  keepChannel(parts, id, { name: account.name, startMs: start * 1000, endMs: end * 1000, session, polls: 0 });
  return { body: { status: 0, data: { url: `${placeUrl(call)}/channel/${id}` }, ticket: { token: session, duration: 15_552_000_000 } } };
}

function poll(call: UserCall): ApiResponse {
  const id = call.params['channel'] ?? '';
  const channel = channelOf(call.parts, id);
  if (!channel) throw new RefusalError('not_found', 'No such channel');
  keepChannel(call.parts, id, { ...channel, polls: channel.polls + 1 });
  if (channel.polls + 1 < pollsUntilReady) return { body: { operation: 'started', args: {} } };
  return { body: { operation: 'update', args: { urls: { [dailyLog]: `${placeUrl(call)}/report/${id}` } } } };
}

function page({ account, params, query, parts }: UserCall): ApiResponse {
  const channel = channelOf(parts, params['channel']);
  if (!channel || query.get('session') !== channel.session) throw new RefusalError('token_invalid', 'MissingOrInvalidToken');
  const report = dailyLogOf(account.person, channel.startMs, channel.endMs);
  // The kit breaks items of JSON responses; this one is inside of a page.
  const isFaulty = parts.faults.strikes('malformed_item', `report:${account.name}`);
  return { text: pageOf(isFaulty ? withBrokenItem(report) : report), contentType: 'text/html; charset=utf-8' };
}

export const dataRoutes: readonly ApiRoute[] = [
  {
    kind: 'patient',
    method: 'GET',
    path: '/patients/:patient',
    auth: 'user',
    respond: atHome(({ account }) => ({ body: { status: 0, data: { patient: { id: account.providerUserId, email: account.email } } } })),
  },
  {
    kind: 'settings',
    method: 'GET',
    path: '/patients/:patient/reportSettings',
    auth: 'user',
    respond: atHome(({ account }) => {
      const source = { type: libre3, firmwareVersion: '1.0', daysData: [1, 7, 14, 30, 90] };
      return { body: { status: 0, data: { dataSources: { [deviceOf(account)]: source } } } };
    }),
  },
  { kind: 'reports', method: 'POST', path: '/reports', auth: 'user', respond: atHome(startReport) },
  {
    kind: 'channel',
    method: 'GET',
    path: '/channel/:channel',
    auth: 'user',
    respond: atHome((call) => ({ body: { data: { lp: `${placeUrl(call)}/poll/${call.params['channel'] ?? ''}` } } })),
  },
  { kind: 'poll', method: 'GET', path: '/poll/:channel', auth: 'user', respond: atHome(poll) },
  { kind: 'report', method: 'GET', path: '/report/:channel', auth: 'user', respond: atHome(page) },
];
