import { AppError } from '@pulsewire/kernel';
import { run, takeLock, type Database } from '@pulsewire/database';
import { and, eq, inArray } from 'drizzle-orm';
import { findLabBySlug } from '../catalogue/lab.ts';
import { labServiceCenters } from '../model/area-tables.ts';
import { readCsvRecords } from './read-csv-records.ts';
import { findZipArea } from './zip-area.ts';

const centersMax = 100_000;
const batch = 1000;
const problemsMax = 20;
const capabilities = new Set(['stat', 'appointment_scheduling_via_junction', 'appointment_scheduling_with_lab']);

type Row = typeof labServiceCenters.$inferInsert;
type Place = Pick<Row, 'lat' | 'lng' | 'ianaTimezone'>;

const emptyToNull = (text: string | undefined) => (text === undefined || text === '' ? null : text);
const words = (text: string | undefined) => (text ?? '').split(/[\s;|]+/).filter((word) => word !== '');

function readRow(
  record: Readonly<Record<string, string>>,
  lab: { readonly labId: number; readonly billTypes: string[] },
  place: Place,
): Row {
  return {
    labId: lab.labId,
    siteCode: record['site_code'] ?? '',
    name: record['name'] ?? '',
    firstLine: record['first_line'] ?? '',
    secondLine: emptyToNull(record['second_line']),
    city: record['city'] ?? '',
    state: record['state'] ?? '',
    zipCode: record['zip_code'] ?? '',
    phoneNumber: emptyToNull(record['phone_number']),
    faxNumber: emptyToNull(record['fax_number']),
    website: emptyToNull(record['website']),
    hours: null,
    ...place,
    capabilities: words(record['capabilities']),
    billTypes: words(record['bill_types']).length > 0 ? words(record['bill_types']) : lab.billTypes,
    isActive: record['active'] !== 'false',
    origin: 'imported',
  };
}

function problemOf(row: Row): string | null {
  if (row.siteCode === '' || row.name === '' || row.firstLine === '' || row.city === '')
    return 'site_code, name, first_line and city must not be empty';
  if (!/^[A-Z]{2}$/.test(row.state)) return 'state must be two capital letters';
  if (!/^\d{5}(-\d{4})?$/.test(row.zipCode)) return 'zip_code must have five digits';
  if (!(Math.abs(row.lat) <= 90 && Math.abs(row.lng) <= 180)) return 'lat or lng is not on the globe';
  const unknown = row.capabilities.find((word) => !capabilities.has(word));
  return unknown === undefined ? null : `unknown capability ${unknown}`;
}

/**
 * Replaces a lab's centers, including synthetic ones, with those of a CSV file with a header: site_code, name, first_line, city, state,
 * zip_code; optional: second_line, phone_number, fax_number, website, lat, lng, capabilities, bill_types (words), active. Without lat and
 * lng a center is placed at the centre of its ZIP area. All or nothing: throws AppError `centers_invalid` with the first problems.
 */
export async function importCenters(database: Database, labSlug: string, csv: string): Promise<number> {
  const lab = await findLabBySlug(database, labSlug);
  if (!lab) throw new AppError({ code: 'lab_not_found', kind: 'not_found', message: `There is no lab ${labSlug}` });
  const records = readCsvRecords(csv, centersMax);
  const problems: string[] = [];
  const rows: Row[] = [];
  for (const [at, record] of records.entries()) {
    const area = await findZipArea(database, record['zip_code'] ?? '');
    const hasPoint = emptyToNull(record['lat']) !== null && emptyToNull(record['lng']) !== null;
    const point = hasPoint ? { lat: Number(record['lat']), lng: Number(record['lng']) } : area;
    const place = point && { lat: point.lat, lng: point.lng, ianaTimezone: area?.ianaTimezone ?? 'Etc/UTC' };
    const row = place && readRow(record, lab, place);
    const problem = row === null ? 'zip_code is unknown; give lat and lng' : problemOf(row);
    if (problem !== null) problems.push(`Line ${at + 2}: ${problem}`);
    else if (row !== null) rows.push(row);
    if (problems.length === problemsMax) break;
  }
  const codes = new Set(rows.map(({ siteCode }) => siteCode));
  if (codes.size < rows.length) problems.push('A site_code occurs twice');
  if (problems.length > 0) throw new AppError({ code: 'centers_invalid', kind: 'invalid', message: problems.join('\n') });
  await database.transaction(async (tx) => {
    await takeLock(tx, 'named', `lab_centers ${labSlug}`);
    const old = and(eq(labServiceCenters.labId, lab.labId), inArray(labServiceCenters.origin, ['synthetic', 'imported']));
    await run(tx.orm.delete(labServiceCenters).where(old));
    for (let from = 0; from < rows.length; from += batch)
      await run(tx.orm.insert(labServiceCenters).values(rows.slice(from, from + batch)));
  });
  return rows.length;
}
