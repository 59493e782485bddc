import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, takeLock, type Database, type Tx } from '@pulsewire/database';
import { loadZipAreas } from '../areas/load-zip-areas.ts';
import { loadSyntheticCenters } from '../areas/synthetic-centers.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { readDataFile } from '../catalogue/seeds/read-csv.ts';
import { labDataLoads } from '../model/catalogue-tables.ts';

interface DataSet {
  readonly name: string;
  readonly files: readonly string[];
  /** Increment when the code that loads the files writes different data. */
  readonly version: number;
  load(tx: Tx, files: readonly Buffer[], now: Date): Promise<void>;
}

/** Loaded in this order, because centers need ZIP areas and labs. */
const dataSets: readonly DataSet[] = [
  {
    name: 'catalogue',
    files: ['analytes.csv', 'panels.csv'],
    version: 1,
    load: (tx, [analytes, panels], now) => loadCatalogue(tx, { analytes: String(analytes), panels: String(panels) }, now),
  },
  { name: 'zip_areas', files: ['zip-areas.csv.gz'], version: 1, load: (tx, [file]) => loadZipAreas(tx, file as Buffer) },
  { name: 'service_centers', files: [], version: 1, load: (tx) => loadSyntheticCenters(tx) },
];

async function loadOne(database: Database, clock: Clock, set: DataSet): Promise<boolean> {
  const files = await Promise.all(set.files.map(readDataFile));
  const digest = files.reduce((hash, file) => hash.update(file), createHash('sha256').update(String(set.version))).digest('hex');
  const isLoaded = async ({ orm }: Pick<Database, 'orm'>) =>
    (await run(orm.select().from(labDataLoads).where(eq(labDataLoads.name, set.name))))[0]?.digest === digest;
  if (await isLoaded(database)) return false;
  return database.transaction(async (tx) => {
    await takeLock(tx, 'named', `lab_data ${set.name}`);
    if (await isLoaded(tx)) return false;
    await set.load(tx, files, clock.now());
    const row = { name: set.name, digest, loadedAt: clock.now() };
    await run(tx.orm.insert(labDataLoads).values(row).onConflictDoUpdate({ target: labDataLoads.name, set: row }));
    return true;
  });
}

/**
 * Loads the catalogue, ZIP areas and synthetic centers of this release, unless they are already loaded. Safe to call from several
 * processes. Returns what was loaded.
 */
export async function loadLabData(database: Database, clock: Clock): Promise<readonly string[]> {
  const loaded: string[] = [];
  for (const set of dataSets) if (await loadOne(database, clock, set)) loaded.push(set.name);
  return loaded;
}
