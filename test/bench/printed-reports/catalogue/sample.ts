import type { Random } from '../report/random.ts';
import type { Analyte, Quantity } from './analyte.ts';
import { bounds } from './limits.ts';

/** One patient's numbers in conventional units, by key: what depends on others is worked out from them, as a laboratory does. */
export type Numbers = Map<string, number>;

export function sampleNumbers(analytes: readonly Analyte[], male: boolean, random: Random): Numbers {
  const numbers: Numbers = new Map();
  for (const entry of analytes) {
    const quantity = entry.conventional;
    if (quantity !== undefined) numbers.set(entry.key, sample(quantity, male, random));
  }
  derive(numbers, random);
  return numbers;
}

function sample(quantity: Quantity, male: boolean, random: Random): number {
  const { low, high } = bounds(male ? quantity.range.male : quantity.range.female);
  const draw = random.next();
  if (low !== null && high !== null) {
    const width = high - low;
    if (draw < 0.8) return low + width * (0.1 + 0.8 * random.next());
    if (draw < 0.91) return high + width * (0.04 + 0.25 * random.next());
    if (draw < 0.99) return Math.max(low * 0.6, low - width * (0.04 + 0.2 * random.next()));
    return high + width * (0.6 + random.next());
  }
  if (high !== null) return draw < 0.72 ? high * (0.45 + 0.5 * random.next()) : high * (1.05 + 0.6 * random.next());
  if (low !== null) return draw < 0.78 ? low * (1.05 + 0.6 * random.next()) : low * (0.5 + 0.45 * random.next());
  return random.between(1, 10);
}

function derive(numbers: Numbers, random: Random): void {
  const get = (key: string) => numbers.get(key);
  const put = (key: string, number: number) => {
    if (numbers.has(key)) numbers.set(key, number);
  };
  const hemoglobin = get('hemoglobin');
  if (hemoglobin !== undefined) {
    const mchc = random.between(32.2, 35.4);
    const mcv = random.chance(0.85) ? random.between(82, 98) : random.between(68, 79);
    const hematocrit = (hemoglobin / mchc) * 100;
    put('mchc', mchc);
    put('mcv', mcv);
    put('hematocrit', hematocrit);
    put('rbc', (hematocrit / mcv) * 10);
    put('mch', (mchc * mcv) / 100);
  }
  differential(numbers, random);
  if (numbers.has('cholesterol')) put('cholesterol', random.between(138, 268));
  const cholesterol = get('cholesterol');
  if (cholesterol !== undefined) {
    const hdl = Math.min(get('hdl') ?? 50, cholesterol * 0.45);
    const triglycerides = Math.min(get('triglycerides') ?? 110, (cholesterol - hdl) * 1.8);
    const ldl = cholesterol - hdl - triglycerides / 5;
    put('hdl', hdl);
    put('triglycerides', triglycerides);
    put('vldl', triglycerides / 5);
    for (const key of ['ldl', 'ldlCalc', 'ldlDirect']) put(key, ldl);
    put('nonHdl', cholesterol - hdl);
    put('cholRatio', cholesterol / hdl);
  }
  const protein = get('protein');
  const albumin = get('albumin');
  if (protein !== undefined && albumin !== undefined) {
    const globulin = Math.max(1.6, protein - albumin);
    put('protein', albumin + globulin);
    put('globulin', globulin);
    put('agRatio', albumin / globulin);
  }
  const bun = get('bun') ?? get('urea');
  if (get('bun') !== undefined) put('urea', (get('bun') ?? 0) * 2.14);
  const creatinine = get('creatinine');
  if (bun !== undefined && creatinine !== undefined) put('bunRatio', bun / creatinine);
  if (creatinine !== undefined) put('egfr', Math.min(125, 92 / creatinine));
  const bilirubin = get('bilirubin');
  if (bilirubin !== undefined) {
    put('bilirubinDirect', bilirubin * 0.25);
    put('bilirubinIndirect', bilirubin * 0.75);
  }
  const a1c = get('a1c') ?? (get('a1cIfcc') === undefined ? undefined : (get('a1cIfcc') ?? 0) * 0.0915 + 2.15);
  if (a1c !== undefined) {
    put('a1cIfcc', (a1c - 2.15) / 0.0915);
    put('eag', 28.7 * a1c - 46.7);
  }
  const iron = get('iron');
  const capacity = get('tibc');
  if (iron !== undefined && capacity !== undefined) put('ironSaturation', (iron / capacity) * 100);
  const urineAlbumin = get('urineAlbumin');
  const urineCreatinine = get('urineCreatinine');
  if (urineAlbumin !== undefined && urineCreatinine !== undefined) put('acr', (urineAlbumin / urineCreatinine) * 1000);
  const calcium = get('calcium');
  if (calcium !== undefined && albumin !== undefined) put('adjustedCalcium', calcium + 0.8 * (4 - albumin));
}

/** The five kinds of white cells add to 100, as the printed whole numbers do too. */
function differential(numbers: Numbers, random: Random): void {
  const total = numbers.get('wbc');
  if (total === undefined) return;
  const lymphocytes = random.whole(18, 44);
  const monocytes = random.whole(3, 9);
  const eosinophils = random.chance(0.85) ? random.whole(1, 5) : random.whole(7, 14);
  const basophils = random.whole(0, 1);
  const shares = { lymphocytes, monocytes, eosinophils, basophils, neutrophils: 100 - lymphocytes - monocytes - eosinophils - basophils };
  for (const [key, share] of Object.entries(shares)) {
    if (numbers.has(`${key}Percent`)) numbers.set(`${key}Percent`, share);
    if (numbers.has(key)) numbers.set(key, (total * share) / 100);
  }
}
