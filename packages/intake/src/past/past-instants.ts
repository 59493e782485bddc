import type { Database, Tx } from '@pulsewire/database';
import { bodySeries, mealId } from '@pulsewire/providers';
import { findSummaries, readSampleInstants, readSamplesAt, type SourceInstant } from '@pulsewire/store';
import type { PhoneOwner } from '../model/phone-owner.ts';
import type { Touched } from '../summaries/find-touched.ts';
import { saveReadings } from '../summaries/readings.ts';
import { nothingTouched, writeMissing } from './write-missing.ts';

const instantsPerPage = 500;
/** Before the oldest time that a sample may have. */
const beforeAllMs = Date.UTC(1800, 0, 1);

/** Writes what is missing at all instants of samples of these series, a page at a time; returns how many summaries were created. */
async function writeAtInstants(
  database: Database,
  owner: PhoneOwner,
  resources: readonly string[],
  find: (tx: Tx, instants: readonly SourceInstant[]) => Promise<Touched>,
): Promise<number> {
  let created = 0;
  let afterMs = beforeAllMs;
  for (;;) {
    const page = await readSampleInstants(database, { ...owner, resources, afterMs, limit: instantsPerPage });
    const last = page.at(-1);
    if (!last) return created;
    created += await writeMissing(database, owner, (tx) => find(tx, page));
    afterMs = last.atMs;
  }
}

/** Builds the body of each weighing without one. */
export async function buildPastWeighings(database: Database, owner: PhoneOwner): Promise<number> {
  return writeAtInstants(database, owner, bodySeries, async (_tx, weighings) => ({ ...nothingTouched, weighings }));
}

/**
 * Builds a meal at each time at which carbohydrates were stored: of the nutrients, they alone have a series. They become readings, so that
 * others that an import brings later are added to the same meal.
 */
export async function buildPastMeals(database: Database, owner: PhoneOwner): Promise<number> {
  return writeAtInstants(database, owner, ['carbohydrates'], async (tx, instants) => {
    const known = await findSummaries(
      tx,
      owner,
      instants.map((instant) => mealId(owner, instant)),
    );
    const meals = instants.filter((instant) => !known.has(mealId(owner, instant)));
    const samples = meals.length === 0 ? [] : await readSamplesAt(tx, { ...owner, resources: ['carbohydrates'], instants: meals });
    await saveReadings(
      tx,
      owner,
      samples.map(({ sourceType, atMs, value, appId, offset }) => ({
        kind: 'carbs',
        sourceType,
        appId: appId ?? '',
        atMs,
        slot: value,
        value,
        offset,
        itemId: '',
      })),
    );
    return { ...nothingTouched, meals };
  });
}
