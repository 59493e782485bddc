import { dayMs } from '@pulsewire/kernel';
import { pullDefaults, completeDays } from '../kit/pull-presets.ts';
import { ofKind, samplesInside } from '../kit/records/complete-ranges.ts';
import { addDays, msToDay, utcMidnight } from '../kit/time/days.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullUser, PullWindow } from '../kit/types/connector.ts';
import { wantedCodes } from './events.ts';
import { mapLog } from './map-log.ts';
import { readPumps, type Pump } from './pumps.ts';
import { createContext, meter, pump as pumpSource, sensor, type TandemValues } from './tandem.ts';

interface LogCall {
  readonly http: ProviderHttp;
  readonly user: PullUser;
  readonly window: PullWindow;
  readonly now?: Date | undefined;
}

/** A day more on both sides, for boluses and rates that end after the window, but never beyond the newest event of the pump. */
function queryOf({ window, user }: LogCall, { untilWallMs }: Pump, { eventsParameter }: TandemValues) {
  const last = [addDays(window.endDate, 1), msToDay(untilWallMs)].toSorted()[0] ?? window.endDate;
  return {
    pumperId: user.providerUserId,
    startDate: `${addDays(window.startDate, -1)}T00:00:00Z`,
    endDate: `${last}T23:59:59Z`,
    [eventsParameter]: wantedCodes.join(','),
  };
}

async function readLog(call: LogCall, pump: Pump, isOnly: boolean, values: TandemValues): Promise<PulledPage> {
  const { http, user, window, now } = call;
  const path = `/api/reports/bff/pump-logs/${encodeURIComponent(pump.assignmentId)}`;
  const response = await http.get(path, queryOf(call, pump, values));
  const mapped = mapLog(response.body, window, pump, createContext(user));
  // With two pumps, what one of them does not have may be from the other.
  const allOf = isOnly
    ? [
        ...samplesInside(window, now, [sensor, meter], ['glucose']),
        ...samplesInside(window, now, pumpSource, ['carbohydrates']),
        ...ofKind('rapid_acting', samplesInside(window, now, pumpSource, ['insulin_injection'])),
      ]
    : [];
  return { version: response.version, ...mapped, allOf };
}

/** The log of a pump is uploaded half an hour late at best, so a poll lists the pumps and reads those with events in the window. */
export const createTandemPull = (values: TandemValues): PullSpec => ({
  ...completeDays,
  ...pullDefaults,
  name: 'pump-logs',
  resources: ['glucose', 'insulin_injection', 'carbohydrates'],
  // The server accepts about four weeks, of which two days are margin.
  chunkDays: 24,
  backfillDays: 90,
  async *pull(call) {
    const { http, user, window } = call;
    const { body } = await http.get(`/api/reports/bff/pumper/${encodeURIComponent(user.providerUserId)}`);
    const pumps = readPumps(body, createContext(user));
    const active = pumps.filter(({ untilWallMs }) => untilWallMs >= utcMidnight(window.startDate) - dayMs);
    for (const pump of active) yield readLog(call, pump, pumps.length === 1, values);
  },
});
