import type { labMarkerResults, labMarkers, loincCodes } from '../../model/catalogue-tables.ts';
import { seedLabs, type SeedLab } from './labs.ts';
import { questionsOf } from './questions.ts';
import { parseCsv } from './read-csv.ts';

/** An analyte of `analytes.csv`. */
export interface SeedAnalyte {
  readonly number: number;
  readonly section: string;
  readonly sample: string;
  readonly name: string;
  readonly loinc: string;
  readonly unit: string | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** A panel of `panels.csv`. */
export interface SeedPanel {
  readonly number: number;
  readonly name: string;
  readonly components: readonly number[];
}

export interface Catalogue {
  readonly loincs: readonly (typeof loincCodes.$inferInsert)[];
  readonly markers: readonly (typeof labMarkers.$inferInsert)[];
  readonly results: readonly (typeof labMarkerResults.$inferInsert)[];
}

const numberOrNull = (text: string | undefined) => (text === undefined || text === '' ? null : Number(text));

export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

export function readAnalytes(csv: string): readonly SeedAnalyte[] {
  return parseCsv(csv).map(([number, section = '', sample = '', name = '', loinc = '', unit = '', min, max]) => ({
    number: Number(number),
    section,
    sample,
    name,
    loinc,
    unit: unit === '' ? null : unit,
    min: numberOrNull(min),
    max: numberOrNull(max),
  }));
}

export function readPanels(csv: string): readonly SeedPanel[] {
  return parseCsv(csv).map(([number, name = '', components = '']) => ({
    number: Number(number),
    name,
    components: components.split(' ').map(Number),
  }));
}

/** Fictional prices; null for the lab without prices of its own. */
function priceOf({ slug }: SeedLab, number: number, components: number): number | null {
  return slug === 'manual' ? null : 500 + (number % 40) * 75 + components * 150;
}

const idOf = ({ labId }: SeedLab, number: number) => labId * 10_000 + number;

function markerOf(lab: SeedLab, item: { readonly number: number; readonly name: string }, sample: string) {
  const markerId = idOf(lab, item.number);
  return {
    markerId,
    labId: lab.labId,
    providerId: String(lab.codeBase + item.number),
    name: item.name,
    slug: slugOf(item.name),
    description: item.name,
    sampleType: sample === 'serum' ? lab.blood : sample,
    isOrderable: true,
    isReflex: false,
    aLaCarteEnabled: lab.methods.some((method) => method !== 'testkit'),
    commonTatDays: 1 + (item.number % 4),
    worstCaseTatDays: 4 + (item.number % 6),
    questions: questionsOf(item.number, markerId),
  };
}

function ofLab(lab: SeedLab, analytes: readonly SeedAnalyte[], panels: readonly SeedPanel[]) {
  const offered = analytes.filter(({ section }) => lab.sections.includes(section));
  const samples = new Map(offered.map(({ number, sample }) => [number, sample]));
  const whole = panels.filter(({ components }) => components.every((number) => samples.has(number)));
  return {
    markers: [
      ...offered.map((analyte) => ({
        ...markerOf(lab, analyte, analyte.sample),
        type: 'biomarker',
        unit: analyte.unit,
        loincId: analyte.number,
        priceMinor: priceOf(lab, analyte.number, 0),
        rangeMin: analyte.min,
        rangeMax: analyte.max,
      })),
      ...whole.map((panel) => ({
        ...markerOf(lab, panel, samples.get(panel.components[0] ?? 0) ?? 'serum'),
        type: 'panel',
        priceMinor: priceOf(lab, panel.number, panel.components.length),
      })),
    ],
    results: [
      ...offered.map(({ number }) => ({ markerId: idOf(lab, number), position: 0, resultId: idOf(lab, number), isRequired: true })),
      ...whole.flatMap(({ number, components }) =>
        components.map((component, position) => ({
          markerId: idOf(lab, number),
          position,
          resultId: idOf(lab, component),
          isRequired: true,
        })),
      ),
    ],
  };
}

/** The markers of all labs from the two files. */
export function buildCatalogue(analytes: readonly SeedAnalyte[], panels: readonly SeedPanel[]): Catalogue {
  const labs = seedLabs.map((lab) => ofLab(lab, analytes, panels));
  return {
    loincs: analytes.map(({ number, name, loinc, unit }) => ({ loincId: number, code: loinc, name, slug: slugOf(name), unit })),
    markers: labs.flatMap(({ markers }) => markers),
    results: labs.flatMap(({ results }) => results),
  };
}

/** Whether the last digit of a LOINC code is the check digit of the others (mod 10, doubling). */
export function isLoincCode(code: string): boolean {
  const [, digits = '', check] = /^(\d{1,7})-(\d)$/.exec(code) ?? [];
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, i) => {
      const value = Number(digit) * (i % 2 === 0 ? 2 : 1);
      return total + Math.floor(value / 10) + (value % 10);
    }, 0);
  return check !== undefined && (10 - (sum % 10)) % 10 === Number(check);
}
