import { abbottLibreviewDefinition } from './abbott_libreview/definition.ts';
import { beurerDefinition } from './beurer_api/definition.ts';
import { cronometerDefinition } from './cronometer/definition.ts';
import { dexcomDefinition } from './dexcom/definition.ts';
import { dexcomDefinition as dexcomV3Definition } from './dexcom_v3/definition.ts';
import { eightSleepDefinition } from './eight_sleep/definition.ts';
import { fitbitEntry } from './fitbit/simulator.ts';
import { freestyleLibreDefinition } from './freestyle_libre/definition.ts';
import { garminDefinition } from './garmin/definition.ts';
import { googleFitDefinition } from './google_fit/definition.ts';
import { googleHealthDefinition } from './google_health/definition.ts';
import { hammerheadDefinition } from './hammerhead/definition.ts';
import { ihealthDefinition } from './ihealth/definition.ts';
import { kardiaDefinition } from './kardia/definition.ts';
import { entryOf } from './kit/create-simulator.ts';
import type { SimulatorEntry } from './kit/types.ts';
import { myFitnessPalDefinition } from './my_fitness_pal/definition.ts';
import { myFitnessPalV2Definition } from './my_fitness_pal_v2/definition.ts';
import { omronDefinition } from './omron/definition.ts';
import { ouraDefinition } from './oura/definition.ts';
import { pelotonDefinition } from './peloton/definition.ts';
import { polarDefinition } from './polar/definition.ts';
import { renphoDefinition } from './renpho/definition.ts';
import { runkeeperDefinition } from './runkeeper/definition.ts';
import { stravaDefinition } from './strava/definition.ts';
import { tandemDefinition } from './tandem_source/definition.ts';
import { ultrahumanDefinition } from './ultrahuman/definition.ts';
import { wahooDefinition } from './wahoo/definition.ts';
import { whoopDefinition } from './whoop/definition.ts';
import { whoopDefinition as whoopV2Definition } from './whoop_v2/definition.ts';
import { withingsDefinition } from './withings/definition.ts';
import { zwiftDefinition } from './zwift/definition.ts';

/** Every simulator, one line each. */
export const simulators: readonly SimulatorEntry[] = [
  fitbitEntry,
  entryOf(ouraDefinition),
  entryOf(ihealthDefinition),
  entryOf(omronDefinition),
  entryOf(renphoDefinition),
  entryOf(pelotonDefinition),
  entryOf(dexcomV3Definition),
  entryOf(whoopV2Definition),
  entryOf(dexcomDefinition),
  entryOf(abbottLibreviewDefinition),
  entryOf(stravaDefinition),
  entryOf(zwiftDefinition),
  entryOf(polarDefinition),
  entryOf(withingsDefinition),
  entryOf(whoopDefinition),
  entryOf(freestyleLibreDefinition),
  entryOf(garminDefinition),
  entryOf(wahooDefinition),
  entryOf(ultrahumanDefinition),
  entryOf(runkeeperDefinition),
  entryOf(hammerheadDefinition),
  entryOf(cronometerDefinition),
  entryOf(eightSleepDefinition),
  entryOf(beurerDefinition),
  entryOf(googleHealthDefinition),
  entryOf(googleFitDefinition),
  entryOf(myFitnessPalV2Definition),
  entryOf(myFitnessPalDefinition),
  entryOf(kardiaDefinition),
  entryOf(tandemDefinition),
];
