import { abbottLibreview } from './abbott_libreview/connector.ts';
import { beurerApi } from './beurer_api/connector.ts';
import { cronometer } from './cronometer/connector.ts';
import { dexcom } from './dexcom/connector.ts';
import { dexcomV3 } from './dexcom_v3/connector.ts';
import { eightSleep } from './eight_sleep/connector.ts';
import { fitbit } from './fitbit/connector.ts';
import { freestyleLibre } from './freestyle_libre/connector.ts';
import { garmin } from './garmin/connector.ts';
import { googleFit } from './google_fit/connector.ts';
import { googleHealth } from './google_health/connector.ts';
import { hammerhead } from './hammerhead/connector.ts';
import { ihealth } from './ihealth/connector.ts';
import { kardia } from './kardia/connector.ts';
import type { Connector } from './kit/types/connector.ts';
import { myFitnessPal } from './my_fitness_pal/connector.ts';
import { myFitnessPalV2 } from './my_fitness_pal_v2/connector.ts';
import { omron } from './omron/connector.ts';
import { oura } from './oura/connector.ts';
import { peloton } from './peloton/connector.ts';
import { polar } from './polar/connector.ts';
import { renpho } from './renpho/connector.ts';
import { runkeeper } from './runkeeper/connector.ts';
import { strava } from './strava/connector.ts';
import { tandemSource } from './tandem_source/connector.ts';
import { ultrahuman } from './ultrahuman/connector.ts';
import { wahoo } from './wahoo/connector.ts';
import { whoop } from './whoop/connector.ts';
import { whoopV2 } from './whoop_v2/connector.ts';
import { withings } from './withings/connector.ts';
import { zwift } from './zwift/connector.ts';

/** Every provider, one line each. */
export const all: readonly Connector[] = [
  fitbit,
  oura,
  hammerhead,
  wahoo,
  runkeeper,
  ultrahuman,
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
  ihealth,
  omron,
  peloton,
  renpho,
  beurerApi,
  googleHealth,
  myFitnessPalV2,
  myFitnessPal,
  cronometer,
  eightSleep,
  kardia,
  tandemSource,
  googleFit,
];
