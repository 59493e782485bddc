import { garminEntry } from './garmin/entry.ts';
import { whoopEntry } from './whoop/entry.ts';
import { withingsEntry } from './withings/entry.ts';
import { polarEntry } from './polar/entry.ts';
import { zwiftEntry } from './zwift/entry.ts';
import { abbottLibreviewEntry } from './abbott_libreview/entry.ts';
import { dexcomV3Entry } from './dexcom_v3/entry.ts';
import { dexcomEntry } from './dexcom/entry.ts';
import { fitbitEntry } from './fitbit/entry.ts';
import { freestyleLibreEntry } from './freestyle_libre/entry.ts';
import { ihealthEntry } from './ihealth/entry.ts';
import type { SimulatorEntry } from './kit/types.ts';
import { omronEntry } from './omron/entry.ts';
import { renphoEntry } from './renpho/entry.ts';
import { pelotonEntry } from './peloton/entry.ts';
import { ouraEntry } from './oura/entry.ts';
import { whoopV2Entry } from './whoop_v2/entry.ts';
import { stravaEntry } from './strava/entry.ts';
import { beurerEntry } from './beurer_api/entry.ts';
import { cronometerEntry } from './cronometer/entry.ts';
import { eightSleepEntry } from './eight_sleep/entry.ts';
import { googleFitEntry } from './google_fit/entry.ts';
import { googleHealthEntry } from './google_health/entry.ts';
import { hammerheadEntry } from './hammerhead/entry.ts';
import { myFitnessPalEntry } from './my_fitness_pal/entry.ts';
import { myFitnessPalV2Entry } from './my_fitness_pal_v2/entry.ts';
import { runkeeperEntry } from './runkeeper/entry.ts';
import { ultrahumanEntry } from './ultrahuman/entry.ts';
import { kardiaEntry } from './kardia/entry.ts';
import { tandemEntry } from './tandem_source/entry.ts';
import { wahooEntry } from './wahoo/entry.ts';

/** Every simulator, one line each. */
export const simulators: readonly SimulatorEntry[] = [
  fitbitEntry,
  ouraEntry,
  ihealthEntry,
  omronEntry,
  renphoEntry,
  pelotonEntry,
  dexcomV3Entry,
  whoopV2Entry,
  dexcomEntry,
  abbottLibreviewEntry,
  stravaEntry,
  zwiftEntry,
  polarEntry,
  withingsEntry,
  whoopEntry,
  freestyleLibreEntry,
  garminEntry,
  wahooEntry,
  ultrahumanEntry,
  runkeeperEntry,
  hammerheadEntry,
  cronometerEntry,
  eightSleepEntry,
  beurerEntry,
  googleHealthEntry,
  googleFitEntry,
  myFitnessPalV2Entry,
  myFitnessPalEntry,
  kardiaEntry,
  tandemEntry,
];
