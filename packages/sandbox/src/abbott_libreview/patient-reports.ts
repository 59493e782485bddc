import { randomBase62, utcDay } from '@pulsewire/kernel';
import type { ApiCall, ApiResponse, ApiRoute, SimulatorParts, UserCall } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { dailyLogOf, pageOf } from './daily-log.ts';
import { dataSourcesOf, isPatient, usesMmol } from './patient-account.ts';
import { hostRegionOf, regionOfHost } from './regions.ts';
import { renewToken } from './sessions.ts';

const dailyLogReport = 500_000;
const ticketMs = 15_552_000_000;
/** The number of polls until a report is ready. */
const pollsUntilReady = 2;
const noToken = () => new RefusalError('token_invalid', 'MissingOrInvalidToken');

/** A report that is being created. */
interface Channel {
  readonly name: string;
  /** Days of the person's clock. */
  readonly from: string;
  readonly to: string;
  readonly isMmol: boolean;
  /** The ids by which the client asked for reports. */
  readonly clientReports: readonly number[];
  /** The newest token opens the finished page. */
  readonly session: string;
  readonly polls: number;
}

const keep = ({ memory }: SimulatorParts, id: string, channel: Channel) => memory.set(`channel ${id}`, channel);
function find({ parts, params }: ApiCall): Channel {
  const channel = parts.memory.get(`channel ${params['channel'] ?? ''}`) as Channel | undefined;
  if (!channel) throw new RefusalError('not_found', 'No such channel');
  return channel;
}

/** A call of a patient to the own region; the response renews the token. */
function ofPatient(respond: (call: UserCall, token: string) => object): (call: UserCall) => ApiResponse {
  return (call) => {
    if (!isPatient(call.account) || regionOfHost(call.path) !== hostRegionOf(call.account)) throw noToken();
    const token = renewToken(call);
    return { body: { status: 0, data: respond(call, token), ticket: { token, duration: ticketMs } } };
  };
}

const numbersOf = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((item): item is number => Number.isInteger(item)) : [];
const dayOf = (seconds: number) => utcDay(seconds * 1000);

/** Asks for the daily log of the device that has recent data, and the earlier devices with it. */
function startReport(call: UserCall, session: string): object {
  const { account, json, parts } = call;
  const body = (typeof json === 'object' && json !== null ? json : {}) as Readonly<Record<string, unknown>>;
  const sources = dataSourcesOf(account);
  const primary = sources.find(({ id }) => id === body['PrimaryDeviceId']);
  const others = Array.isArray(body['SecondaryDeviceIds']) ? (body['SecondaryDeviceIds'] as readonly unknown[]) : [];
  const clientReports = numbersOf(body['ClientReportIDs']);
  const [start] = numbersOf(body['StartDates']);
  const [end] = numbersOf([body['EndDate']]);
  const unit = body['GlucoseUnits'];
  const isGood =
    primary?.type === body['PrimaryDeviceTypeId'] &&
    body['PatientId'] === account.providerUserId &&
    others.every((other) => sources.some(({ id }) => id === other)) &&
    numbersOf(body['ReportIds']).includes(dailyLogReport + (primary?.type ?? 0)) &&
    clientReports.length > 0 &&
    (unit === undefined || unit === 0 || unit === 1);
  if (!isGood || start === undefined || end === undefined || end < start) throw new RefusalError('request_invalid', 'Bad report');
  const id = randomBase62(20);
  const isMmol = unit === undefined ? usesMmol(account) : unit === 0;
  keep(parts, id, { name: account.name, from: dayOf(start), to: dayOf(end), isMmol, clientReports, session, polls: 0 });
  return { url: `${parts.url()}/${hostRegionOf(account)}/channel/${id}` };
}

const channelPath = (call: ApiCall, kind: string) =>
  `${call.parts.url()}/${regionOfHost(call.path) ?? ''}/${kind}/${call.params['channel'] ?? ''}`;

/** Needs no token; the first polls only say that the report was started. */
function poll(call: ApiCall): ApiResponse {
  const channel = find(call);
  keep(call.parts, call.params['channel'] ?? '', { ...channel, polls: channel.polls + 1 });
  if (channel.polls + 1 < pollsUntilReady) return { body: { operation: 'started', args: {} } };
  const urls = Object.fromEntries(channel.clientReports.map((report) => [report, channelPath(call, 'report')]));
  return { body: { operation: 'update', args: { urls } } };
}

function page(call: ApiCall): ApiResponse {
  const channel = find(call);
  const { parts, query } = call;
  if (query.get('session') !== channel.session) throw noToken();
  parts.grants.authenticate(channel.session);
  const account = parts.accounts.byName(channel.name);
  if (!account) throw noToken();
  const report = dailyLogOf(account, channel.from, channel.to, channel.isMmol);
  // The kit breaks items of JSON responses; this one is inside of a page.
  const isFaulty = parts.faults.strikes('malformed_item', `report:${account.name}`);
  const isOlder = account.name.endsWith('Older');
  return { text: pageOf(isFaulty ? withBrokenItem(report) : report, isOlder), contentType: 'text/html; charset=utf-8' };
}

/** Reports of a LibreView patient: the devices, a report of one of them, its channel, polls until it is ready, and its page. */
export const reportRoutes: readonly ApiRoute[] = [
  {
    kind: 'report.settings',
    method: 'GET',
    path: '/reportSettings',
    auth: 'user',
    respond: ofPatient(({ account }) => ({
      dataSources: Object.fromEntries(dataSourcesOf(account).map(({ id, ...source }) => [id, source])),
    })),
  },
  { kind: 'report.start', method: 'POST', path: '/reports', auth: 'user', respond: ofPatient(startReport) },
  {
    kind: 'report.channel',
    method: 'GET',
    path: '/channel/:channel',
    auth: 'user',
    respond(call: UserCall) {
      find(call);
      return { body: { data: { lp: channelPath(call, 'poll') } } };
    },
  },
  { kind: 'report.poll', method: 'GET', path: '/poll/:channel', auth: 'open', hasFaults: true, respond: poll },
  { kind: 'report.page', method: 'GET', path: '/report/:channel', auth: 'open', hasFaults: true, respond: page },
];
