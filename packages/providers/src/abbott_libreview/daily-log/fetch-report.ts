import { addDays, utcMidnight } from '../../kit/time/days.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { providerError } from '../../kit/http/provider-error.ts';
import type { ProviderResponse, ProviderHttp, PullWindow } from '../../kit/types/connector.ts';
import type { Devices } from './devices.ts';
import { readReport } from './read-report.ts';

/** The number of the daily log among the reports of a page and of a device. */
const dailyLog = 5;
const deviceReport = 500_000;
const millimoles = 0;
/** The poll call itself blocks until there is something to report. */
const pollsMax = 10;

function unknownShape(what: string): Error {
  return providerError('provider_transient', { reason: 'unknown_shape', what });
}

function linkIn(response: ProviderResponse, key: string): string {
  const link = new JsonNode(response.body).at('data').at(key).value;
  if (typeof link !== 'string' || link === '') throw unknownShape(key);
  return link;
}

/** The URL of the finished page: in `urls` by the report's number, or in a list; undefined while the report is being created. */
function readyUrl(body: unknown): string | undefined {
  const urls = new JsonNode(body).at('args').at('urls');
  const named = urls.at(String(dailyLog)).value;
  const first: unknown = Array.isArray(urls.value) ? urls.value.find((url) => typeof url === 'string') : undefined;
  const url = typeof named === 'string' ? named : first;
  return typeof url === 'string' && url !== '' ? url : undefined;
}

async function pollUntilReady(http: ProviderHttp, link: string): Promise<string> {
  for (let polls = 0; polls < pollsMax; polls++) {
    const url = readyUrl((await http.get(link)).body);
    if (url !== undefined) return url;
  }
  throw providerError('provider_transient', { reason: 'report_not_ready' });
}

/** Requests the daily log of some days, waits until it is created, and reads it. Days are those of the reader's clock. */
export async function fetchDailyLog(
  http: ProviderHttp,
  { patient, devices, window }: { readonly patient: string; readonly devices: Devices; readonly window: PullWindow },
): Promise<{ readonly report: unknown; readonly version: bigint }> {
  const requested = await http.post('/reports', {
    isRead: true,
    json: {
      PrimaryDeviceId: devices.primaryId,
      PrimaryDeviceTypeId: devices.primaryType,
      SecondaryDeviceIds: devices.otherIds,
      PrintReportsWithPatientInformation: false,
      ReportIds: [deviceReport + devices.primaryType],
      ClientReportIDs: [dailyLog],
      StartDates: [utcMidnight(window.startDate) / 1000],
      EndDate: utcMidnight(addDays(window.endDate, 1)) / 1000 - 1,
      PatientId: patient,
      CultureCode: 'en-US',
      GlucoseUnits: millimoles,
    },
  });
  // The page requires the token from this response, not the token that the request was sent with.
  const session = new JsonNode(requested.body).at('ticket').at('token').value;
  if (typeof session !== 'string' || session === '') throw unknownShape('ticket');
  const channel = await http.get(linkIn(requested, 'url'));
  const page = await pollUntilReady(http, linkIn(channel, 'lp'));
  const { bytes } = await http.get(page, { session }, { accepts: 'any', headers: { accept: 'text/html' } });
  const report = readReport(bytes.toString('utf8'));
  if (report === undefined) throw unknownShape('report');
  // The page shows the data as of the request, so it gets the request's version.
  return { report, version: requested.version };
}
