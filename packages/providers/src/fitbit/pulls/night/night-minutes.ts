import { isAppError } from '@pulsewire/kernel';
import { addDays, countDays, splitWindow } from '../../../kit/time/days.ts';
import { historyDaysMax } from '../../../kit/history-depth.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullWindow } from '../../../kit/types/connector.ts';
import { allOfNights } from '../../context/all-of.ts';
import { createMapContext, pageOf, type MapContext, type Mapped } from '../../context/map-context.ts';
import { bloodOxygenMinutes, hrvMinutes, mapNightMinutes, type NightMinutes } from '../../mappers/night/map-night-minutes.ts';
import { mapBloodOxygen, mapHrv } from '../../mappers/night/map-nightly.ts';

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
