import { pullDefaults } from '../kit/pull-presets.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { MappedRecords, ProviderHttp, PullSpec, PullUser, PullWindow } from '../kit/types/connector.ts';
import { readDevices } from './daily-log/devices.ts';
import { fetchDailyLog } from './daily-log/fetch-report.ts';
import { mapDailyLog } from './daily-log/map-daily-log.ts';
import { createContext, isPatient } from './libreview.ts';
import { mapGraph, mapLogbook } from './map-glucose.ts';
import { onlyPatient } from './patients.ts';

/** Days of readings that the logbook keeps. */
export const logbookDays = 14;

/** The followed patient; looked up again while it is unknown. */
async function patientOf(http: ProviderHttp, { account }: PullUser): Promise<string | null> {
  const known = account['patient_id'];
  if (typeof known === 'string') return known;
  const { body } = await http.get('/llu/connections');
  return onlyPatient(body);
}

interface PatientPull extends Pick<PullSpec, 'name' | 'lanes' | 'backfillDays'> {
  readonly path: string;
  map(body: unknown, window: PullWindow, context: RecordMaker): MappedRecords;
}

/** One call returns all available data, whatever the window. */
function patientPull({ path, map, ...spec }: PatientPull): PullSpec {
  return {
    ...pullDefaults,
    ...spec,
    resources: ['glucose'],
    chunkDays: logbookDays + 1,
    rereadDays: 5,
    deletions: { unseen: 'The app cannot delete a reading of the sensor.' },
    async *pull({ http, user, window }) {
      if (isPatient(user.account)) return;
      const patient = await patientOf(http, user);
      if (patient === null) return;
      const response = await http.get(`/llu/connections/${patient}/${path}`);
      yield { ...map(response.body, window, createContext(user)), version: response.version };
    },
  };
}

/** Days of history that LibreView's reports have. */
export const reportDays = 90;

/** The daily log of a patient, two weeks at a time, which is what LibreView's own pages request. */
const reportPull: PullSpec = {
  ...pullDefaults,
  name: 'daily_log',
  resources: ['glucose'],
  chunkDays: 14,
  backfillDays: reportDays,
  // Sensors upload up to eight hours late, readers only when they are plugged in.
  rereadDays: 5,
  deletions: { unseen: 'The app cannot delete a reading of the sensor.' },
  async *pull({ http, user, window }) {
    if (!isPatient(user.account)) return;
    const devices = readDevices((await http.get('/reportSettings')).body);
    if (devices === null) return;
    const { report, version } = await fetchDailyLog(http, { patient: user.providerUserId, devices, window });
    yield { ...mapDailyLog(report, window, createContext(user)), version };
  },
};

export const libreviewPulls: readonly PullSpec[] = [
  patientPull({ name: 'graph', backfillDays: 1, path: 'graph', map: mapGraph }),
  patientPull({ name: 'logbook', backfillDays: logbookDays, path: 'logbook', map: mapLogbook }),
  reportPull,
];
