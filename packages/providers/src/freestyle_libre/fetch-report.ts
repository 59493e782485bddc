import { addDays, utcMidnight } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { ProviderAnswer, ProviderHttp, PullWindow } from '../kit/types/connector.ts';
import type { Devices } from './devices.ts';
import { readReport } from './read-report.ts';

/** The daily log among the reports of a page, and among those of a device. */
const dailyLog = 5;
const deviceReport = 500_000;
const millimoles = 0;
/** The poll waits by itself until something is to be told. */
const pollsMax = 10;

function unknownShape(what: string): Error {
  return providerError('provider_transient', { reason: 'unknown_shape', what });
}

function linkIn(answer: ProviderAnswer, key: string): string {
  const link = new JsonNode(answer.body).at('data').at(key).value;
  if (typeof link !== 'string' || link === '') throw unknownShape(key);
  return link;
}

/** Where the finished page is: `urls` by the number of the report, or in a list; undefined while it is being made. */
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

/** Has the daily log of some days made, waits for it and reads it. Days are those of the reader's clock. */
export async function fetchDailyLog(
  http: ProviderHttp,
  { patient, devices, window }: { readonly patient: string; readonly devices: Devices; readonly window: PullWindow },
): Promise<{ readonly report: unknown; readonly version: bigint }> {
  const asked = await http.post('/reports', {
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
  // The page is opened by the token that this answer brings, not by the one that asked.
  const session = new JsonNode(asked.body).at('ticket').at('token').value;
  if (typeof session !== 'string' || session === '') throw unknownShape('ticket');
  const channel = await http.get(linkIn(asked, 'url'));
  const page = await pollUntilReady(http, linkIn(channel, 'lp'));
  const { bytes } = await http.get(page, { session }, { accepts: 'any', headers: { accept: 'text/html' } });
  const report = readReport(bytes.toString('utf8'));
  if (report === undefined) throw unknownShape('report');
  // The page shows what was known when it was asked for.
  return { report, version: asked.version };
}
