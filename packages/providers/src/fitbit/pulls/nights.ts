import { isAppError } from '@pulsewire/kernel';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { addDays, countDays, splitWindow } from '../../kit/time/days.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { allNightly, allOfNights, allSummaries } from '../context/all-of.ts';
import { createMapContext, pageOf, type MapContext, type Mapped } from '../context/map-context.ts';
import {
  bloodOxygenMinutes,
  hrvMinutes,
  mapBloodOxygen,
  mapHrv,
  mapNightMinutes,
  mapRespiratoryRate,
  mapSkinTemperature,
  mapVo2Max,
  type NightMinutes,
} from '../mappers/map-night-values.ts';
import { mapSleep } from '../mappers/map-sleep.ts';
import { rangePull, type RangePull } from './paging.ts';

export const sleepPull = rangePull({
  name: 'sleep',
  resources: ['sleep', 'sleep_cycle'],
  requiredScopes: ['sleep'],
  chunkDays: 100,
  collections: ['sleep'],
  path: (start, end) => `/1.2/user/-/sleep/date/${start}/${end}.json`,
  map: mapSleep,
  allOf: (days) => ['sleep', 'sleep_cycle'].flatMap((resource) => allSummaries(resource, ['watch', 'app'], days)),
  deletions: 'by_absence',
});

interface NightsPull extends Pick<PullSpec, 'name' | 'requiredScopes'> {
  /** Below `/1/user/-/`. */
  readonly path: string;
  readonly minutes: NightMinutes;
  /** Maps one value per night. */
  mapDays(body: unknown, context: MapContext): Mapped;
}

/** Minutes require an approval that an application may lack although it has the scope: then undefined. */
async function pullMinutes(
  http: ProviderHttp,
  path: string,
  minutes: NightMinutes,
  days: PullWindow,
  context: MapContext,
): Promise<PulledPage | undefined> {
  try {
    const response = await http.get(`${path}/all.json`);
    const mapped = mapNightMinutes(response.body, minutes, context);
    // This also removes nightly values from before minutes were granted.
    return mapped && pageOf(response, { ...mapped, allOf: allOfNights(minutes.resource, days, context) });
  } catch (error) {
    if (isAppError(error) && error.code === 'provider_scope_missing') return undefined;
    throw error;
  }
}

const chunkDays = 30;

/**
 * Nights begin on the day before they end. Reading the nights before and after the window too shows which readings of its evenings, before
 * and after midnight, were deleted. It takes no extra call; a future night is not requested.
 */
function withNeighbours(piece: PullWindow, { zoneOn }: MapContext, now: Date | undefined): PullWindow {
  if (now === undefined || countDays(piece) + 2 > chunkDays) return piece;
  const next = addDays(piece.endDate, 1);
  const isOver = next <= zoneOn(next).dayOf(now.getTime());
  return { startDate: addDays(piece.startDate, -1), endDate: isOver ? next : piece.endDate };
}

/** Measurements within nights: by minute if granted, else one value per night. One call for thirty days. */
function nightsPull({ path, minutes, mapDays, ...spec }: NightsPull): PullSpec {
  async function pullPiece(http: ProviderHttp, days: PullWindow, context: MapContext): Promise<PulledPage> {
    const range = `/1/user/-/${path}/date/${days.startDate}/${days.endDate}`;
    const found = await pullMinutes(http, range, minutes, days, context);
    if (found !== undefined) return found;
    const response = await http.get(`${range}.json`);
    return pageOf(response, mapDays(response.body, context));
  }
  return {
    ...spec,
    resources: [minutes.resource],
    chunkDays,
    backfillDays: 90,
    reachDays: historyDaysMax,
    rereadDays: 3,
    collections: ['sleep'],
    deletions: 'by_absence',
    async *pull({ http, user, window, now }) {
      const context = createMapContext(user);
      for (const piece of splitWindow(window, chunkDays)) yield await pullPiece(http, withNeighbours(piece, context, now), context);
    },
  };
}

export const hrvPull = nightsPull({ name: 'hrv', requiredScopes: ['heartrate'], path: 'hrv', minutes: hrvMinutes, mapDays: mapHrv });

export const bloodOxygenPull = nightsPull({
  name: 'blood-oxygen',
  requiredScopes: ['oxygen_saturation'],
  path: 'spo2',
  minutes: bloodOxygenMinutes,
  mapDays: mapBloodOxygen,
});

interface NightlyValue extends Pick<RangePull, 'name' | 'requiredScopes' | 'map'> {
  readonly resource: string;
  /** Below `/1/user/-/`. */
  readonly path: string;
}

/** One value per night, thirty days per call, read when a night was reported. */
const nightlyPull = ({ resource, path, ...spec }: NightlyValue) =>
  rangePull({
    ...spec,
    resources: [resource],
    chunkDays: 30,
    collections: ['sleep'],
    path: (start, end) => `/1/user/-/${path}/date/${start}/${end}.json`,
    allOf: (days, context) => allNightly(resource, days, context),
    deletions: 'by_absence',
  });

export const respiratoryRatePull = nightlyPull({
  name: 'respiratory-rate',
  resource: 'respiratory_rate',
  requiredScopes: ['respiratory_rate'],
  path: 'br',
  map: mapRespiratoryRate,
});

export const skinTemperaturePull = nightlyPull({
  name: 'skin-temperature',
  resource: 'body_temperature_delta',
  requiredScopes: ['temperature'],
  path: 'temp/skin',
  map: mapSkinTemperature,
});

export const vo2MaxPull = nightlyPull({
  name: 'vo2-max',
  resource: 'vo2_max',
  requiredScopes: ['cardio_fitness'],
  path: 'cardioscore',
  map: mapVo2Max,
});
