import { sql as text, type SQL } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { labAccounts, labMarkerResults, labMarkers, labs, loincCodes } from '../model/catalogue-tables.ts';
import { platformAccountId } from './seeds/platform-accounts.ts';
import { buildCatalogue, readAnalytes, readPanels } from './seeds/build-catalogue.ts';
import { seedLabs } from './seeds/labs.ts';

const batch = 1000;
const billTypes = ['client_bill', 'commercial_insurance', 'patient_bill_passthrough', 'patient_bill'];

function* batches<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += batch) yield rows.slice(at, at + batch);
}

const excluded = (...names: string[]): Record<string, SQL> =>
  Object.fromEntries(
    names.map((name) => [name, text.raw(`excluded.${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`)]),
  );

async function loadMarkers({ orm }: Tx, analytesCsv: string, panelsCsv: string): Promise<void> {
  const { loincs, markers, results } = buildCatalogue(readAnalytes(analytesCsv), readPanels(panelsCsv));
  const loincSet = excluded('code', 'name', 'slug', 'unit');
  await run(
    orm
      .insert(loincCodes)
      .values([...loincs])
      .onConflictDoUpdate({ target: loincCodes.loincId, set: loincSet }),
  );
  const markerSet = excluded(
    'providerId',
    'name',
    'slug',
    'description',
    'type',
    'unit',
    'loincId',
    'priceMinor',
    'sampleType',
    'isOrderable',
    'isReflex',
    'aLaCarteEnabled',
    'commonTatDays',
    'worstCaseTatDays',
    'questions',
    'rangeMin',
    'rangeMax',
  );
  for (const rows of batches(markers))
    await run(orm.insert(labMarkers).values(rows).onConflictDoUpdate({ target: labMarkers.markerId, set: markerSet }));
  await run(orm.delete(labMarkerResults));
  for (const rows of batches(results)) await run(orm.insert(labMarkerResults).values(rows));
}

/** Writes the labs, markers and platform accounts of this release. Entries of former releases stay. */
export async function loadCatalogue(tx: Tx, files: { readonly analytes: string; readonly panels: string }, now: Date): Promise<void> {
  const rows = seedLabs.map(({ labId, slug, name, city, zipcode, methods, sampleTypes, hasServiceCenters }) => ({
    labId,
    slug,
    name,
    city,
    zipcode,
    hasServiceCenters,
    firstLineAddress: '100 Lab Way',
    collectionMethods: [...methods],
    sampleTypes: [...sampleTypes],
    billTypes: slug === 'manual' ? ['client_bill'] : billTypes,
  }));
  const labSet = excluded('slug', 'name', 'city', 'zipcode', 'collectionMethods', 'sampleTypes', 'billTypes', 'hasServiceCenters');
  await run(tx.orm.insert(labs).values(rows).onConflictDoUpdate({ target: labs.labId, set: labSet }));
  await loadMarkers(tx, files.analytes, files.panels);
  const accounts = seedLabs.map((lab) => ({
    labAccountId: platformAccountId(lab.slug),
    labId: lab.labId,
    status: 'active',
    delegatedFlow: 'not_delegated',
    providerAccountId: `PLATFORM-${lab.labId}`,
    accountName: 'Platform account (simulated)',
    allowedBilling: {},
    isPlatform: true,
    createdAt: now,
  }));
  await run(tx.orm.insert(labAccounts).values(accounts).onConflictDoNothing());
}
