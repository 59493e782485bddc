import { pullDefaults } from '../kit/pull-presets.ts';
import { readDevices } from '../abbott_libreview/daily-log/devices.ts';
import { fetchDailyLog } from '../abbott_libreview/daily-log/fetch-report.ts';
import { mapDailyLog } from '../abbott_libreview/daily-log/map-daily-log.ts';
import { patientPattern } from '../abbott_libreview/libreview.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { PullSpec } from '../kit/types/connector.ts';
import { createContext } from './libreview.ts';

export const historyDays = 90;

/** The daily log of two weeks, which is what LibreView's own pages request. */
export const reportPull: PullSpec = {
  ...pullDefaults,
  name: 'daily-log',
  resources: ['glucose'],
  chunkDays: 14,
  backfillDays: historyDays,
  // Sensors upload up to eight hours late, readers only when they are plugged in.
  rereadDays: 5,
  deletions: { unseen: 'The reader cannot delete a reading.' },
  async *pull({ http, user, window }) {
    const patient = user.account['patient_id'];
    if (typeof patient !== 'string' || !patientPattern.test(patient)) throw providerError('provider_permanent', { reason: 'no_patient' });
    const settings = await http.get(`/patients/${patient}/reportSettings`);
    const devices = readDevices(settings.body);
    if (devices === null) return;
    const { report, version } = await fetchDailyLog(http, { patient, devices, window });
    yield { ...mapDailyLog(report, window, createContext(user)), version };
  },
};
