import type { PrintedRow } from '../reports/run/judge-rows.ts';
import { drawBlood } from '../reports/model/blood.ts';
import type { Random } from '../reports/model/random.ts';
import { bloodCount, chemistry, differential, hormones, lipids, type Fact } from './facts.ts';

export type Country = 'us' | 'uk' | 'india';

export interface DrawnRow extends PrintedRow {
  /** Bounds as printed. */
  readonly low: string | null;
  readonly high: string | null;
  readonly side: 'low' | 'high' | 'inside';
}

export interface DrawnReport {
  readonly country: Country;
  readonly patient: { readonly name: string; readonly sex: 'M' | 'F'; readonly age: number };
  /** Days of this and earlier reports, newest first: year, month, day. */
  readonly days: readonly (readonly [number, number, number])[];
  readonly panels: readonly { readonly title: string; readonly rows: readonly DrawnRow[] }[];
}

const titles: Readonly<Record<Country, readonly string[]>> = {
  us: ['COMPREHENSIVE METABOLIC PANEL', 'LIPID PANEL', 'ENDOCRINOLOGY', 'CBC', 'DIFFERENTIAL'],
  uk: ['Renal and liver profile', 'Lipid profile', 'Thyroid and haematinics', 'Full blood count', 'White cell differential'],
  india: ['BIOCHEMISTRY', 'LIPID PROFILE', 'HORMONES', 'COMPLETE BLOOD COUNT (CBC)', 'DIFFERENTIAL LEUCOCYTE COUNT'],
};

function drawRow(fact: Fact, country: Country, random: Random, blood: ReadonlyMap<string, number>): DrawnRow {
  const [unit, factor, decimals] = country === 'uk' && fact.si ? fact.si : [fact.unit, 1, fact.decimals];
  const isUsual = random.chance(0.7);
  const [min, max] = fact.range;
  const drawn =
    blood.get(fact.codes[0] ?? '') ??
    random.between(isUsual ? (min ?? fact.spread[0]) : fact.spread[0], isUsual ? (max ?? fact.spread[1]) : fact.spread[1]);
  const print = (value: number | null) => (value === null ? null : (value * factor).toFixed(decimals));
  const [value, low, high] = [(drawn * factor).toFixed(decimals), print(min), print(max)];
  // A single upper bound is printed as `<200`, which excludes 200.
  const isHigh = high !== null && (low === null ? Number(value) >= Number(high) : Number(value) > Number(high));
  const isLow = low !== null && Number(value) < Number(low);
  return {
    test_name: fact[country],
    value,
    units: unit,
    min_reference_range: low === null ? null : Number(low),
    max_reference_range: high === null ? null : Number(high),
    interpretation: isHigh || isLow ? 'abnormal' : 'normal',
    loinc: (country === 'uk' && fact.si ? fact.siCodes : fact.codes) ?? fact.codes,
    low,
    high,
    side: isHigh ? 'high' : isLow ? 'low' : 'inside',
  };
}

/** Draws a report of a country's laboratory. `panels`: how many groups of results it has. */
export function drawReport(country: Country, random: Random, panels = 3): DrawnReport {
  const blood = drawBlood(random.fork('blood'));
  const groups = [chemistry, lipids, hormones, bloodCount, differential].map((facts, index) => ({
    title: titles[country][index] ?? '',
    facts,
  }));
  const year = 2026;
  return {
    country,
    patient: {
      name: random.pick(['Robin Example', 'Jordan Sample', 'Alex Specimen']),
      sex: random.pick(['M', 'F'] as const),
      age: random.integer(24, 81),
    },
    days: [
      [year, random.integer(1, 12), random.integer(1, 28)],
      [year - 1, random.integer(7, 12), random.integer(1, 28)],
      [year - 1, random.integer(1, 6), random.integer(1, 28)],
    ],
    panels: random.some(groups, panels).map(({ title, facts }) => ({
      title,
      rows: facts.map((fact) => drawRow(fact, country, random.fork(fact.us), blood)),
    })),
  };
}
