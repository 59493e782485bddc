import { panels, type PanelFacts, type PanelName } from '../facts/panels.ts';
import { drawBlood } from './blood.ts';
import { drawResult, type Result } from './draw-result.ts';
import type { Random } from './random.ts';
import type { Style } from './style.ts';
import type { TrueHead, Truth } from './truth.ts';

export interface PrintedPanel {
  readonly title: string;
  readonly specimen: PanelFacts['specimen'];
  readonly results: readonly Result[];
}

/** A report as a layout prints it. Every person and laboratory is fictional. */
export interface Report {
  readonly lab: {
    readonly name: string;
    readonly street: string;
    readonly city: string;
    readonly phone: string;
    readonly director: string;
  };
  readonly patient: string;
  readonly dob: string;
  readonly age: number;
  readonly gender: string;
  readonly specimen: string;
  readonly ordered: string;
  readonly collected: string;
  readonly received: string;
  readonly reported: string;
  readonly physician: string;
  readonly panels: readonly PrintedPanel[];
  readonly truth: Truth;
}

const firstNames = {
  female: ['Maria', 'Linda', 'Susan', 'Denise', 'Yolanda', 'Harriet'],
  male: ['James', 'Robert', 'Victor', 'Samuel', 'Owen', 'Curtis'],
};
const lastNames = ['Hoffman', 'Delgado', 'Whitaker', 'Nguyen', 'Okafor', 'Lindqvist', 'Brandt', 'Castellano', 'Mercer', 'Yamada'];
const labs = [
  ['Northfield Clinical Laboratories', '4100 Harbor Blvd', 'Tampa, FL 33607'],
  ['Cedar Ridge Diagnostics', '12 Mill Street', 'Denver, CO 80202'],
  ['Summit Pathology Associates', '880 Lakeview Drive', 'Columbus, OH 43215'],
  ['Bayside Medical Laboratory', '25 Wharf Road', 'Portland, ME 04101'],
  ['Prairie Health Laboratory', '700 Grain Avenue', 'Wichita, KS 67202'],
] as const;

const dayMs = 86_400_000;

/** Draws the contents of a report. `spread` is the minimum number of tests per panel. */
export function drawReport(names: readonly PanelName[], style: Style, random: Random): Report {
  const sex = random.pick(['female', 'male'] as const);
  const [first, last] = [random.pick(firstNames[sex]), random.pick(lastNames)];
  const middle = random.pick(['', '', 'A', 'J', 'R']);
  const [labName, street, city] = random.pick(labs);
  const born = new Date(Date.UTC(random.integer(1946, 2003), random.integer(0, 11), random.integer(1, 28)));
  const collectedAt = new Date(Date.UTC(2025, random.integer(0, 11), random.integer(1, 28), random.integer(7, 16), random.integer(0, 59)));
  const reportedAt = new Date(collectedAt.getTime() + random.integer(1, 4) * dayMs + random.integer(0, 300) * 60_000);
  const stamp = (date: Date) => (style.time ? `${style.date(date)} ${style.time(date)}` : style.date(date));
  const either = (date: Date) => [...new Set([stamp(date), style.date(date)])];
  const specimen = `${random.pick(['', 'SP', 'W'])}${random.integer(10_000_000, 999_999_999)}`;
  const spelling = random.integer(0, 5);
  const blood = drawBlood(random.fork('blood'));
  const printed = names.map((name): PrintedPanel => {
    const facts: PanelFacts = panels[name];
    const wanted = Math.max(1, Math.ceil(facts.analytes.length * random.between(0.7, 1)));
    const given = facts.titles[spelling % facts.titles.length] ?? '';
    const title = style.isUpper ? given.toUpperCase() : given;
    const results = random
      .some(facts.analytes, wanted)
      .map((analyte) => drawResult(analyte, spelling, style, random.fork(`${name} ${analyte.names[0]}`), blood))
      .map((result) => ({ ...result, truth: { ...result.truth, panel: title } }));
    return { title, specimen: facts.specimen, results };
  });
  const patient = style.patient(first, last, middle);
  const [trueLast, trueFirst] = patient === patient.toUpperCase() ? [last.toUpperCase(), first.toUpperCase()] : [last, first];
  const head: TrueHead = {
    patient_first_name: patient.includes(` ${middle}`) && middle !== '' ? [trueFirst, `${trueFirst} ${middle}`] : [trueFirst],
    patient_last_name: [trueLast],
    dob: [style.date(born)],
    gender: [sex],
    lab_name: [labName, labName.toUpperCase()],
    date_collected: either(collectedAt),
    date_reported: either(reportedAt),
    specimen_number: [specimen],
  };
  return {
    lab: { name: labName, street, city, phone: `800-555-01${random.integer(10, 99)}`, director: `${random.pick(lastNames)}, MD` },
    patient,
    dob: style.date(born),
    age: Math.floor((collectedAt.getTime() - born.getTime()) / (365.25 * dayMs)),
    gender: style.gender[sex],
    specimen,
    ordered: style.date(collectedAt),
    collected: stamp(collectedAt),
    received: stamp(new Date(collectedAt.getTime() + 14 * 3_600_000)),
    reported: stamp(reportedAt),
    physician: `Dr. ${random.pick(lastNames)}`,
    panels: printed,
    truth: { rows: printed.flatMap(({ results }) => results.map(({ truth }) => truth)), head },
  };
}
