import { garmin } from './garmin/connector.ts';
import { whoop } from './whoop/connector.ts';
import { withings } from './withings/connector.ts';
import { polar } from './polar/connector.ts';
import { zwift } from './zwift/connector.ts';
import { abbottLibreview } from './abbott_libreview/connector.ts';
import { dexcomV3 } from './dexcom_v3/connector.ts';
import { dexcom } from './dexcom/connector.ts';
import { fitbit } from './fitbit/connector.ts';
import { freestyleLibre } from './freestyle_libre/connector.ts';
import type { Connector } from './kit/types/connector.ts';
import { oura } from './oura/connector.ts';
import { whoopV2 } from './whoop_v2/connector.ts';
import { strava } from './strava/connector.ts';

/** Every provider, one line each. */
export const all: readonly Connector[] = [
  fitbit,
  oura,
  dexcomV3,
  whoopV2,
  dexcom,
  abbottLibreview,
  strava,
  zwift,
  polar,
  withings,
  whoop,
  freestyleLibre,
  garmin,
];
