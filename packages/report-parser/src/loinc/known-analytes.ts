import { variantsOf } from './name-variants.ts';
import { wordsOfName } from './normalise-name.ts';
import { assumedNames, synonyms } from './synonyms.ts';
import { unitKind } from '../values/unit-kind.ts';

/** What the unit of an analyte measures, as far as results of several analytes can be confused by it. */
export type Quantity = 'concentration' | 'count' | 'fraction' | 'cell volume' | 'cell mass' | 'sedimentation' | 'clearance';

interface Known {
  readonly code: string;
  readonly quantities: ReadonlySet<Quantity>;
}

/**
 * Usual analytes of blood by quantity, with the names that `synonyms` does not contain. A cell type is counted or is a share of its kind,
 * albumin also is a share of the proteins, and the width of red cells has two definitions.
 */
const table: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  concentration: {
    '2345-7': ['Glucose', 'Fasting blood sugar', 'Glucose fasting', 'Random blood sugar'],
    '3094-0': ['Urea nitrogen', 'Urea', 'Blood urea', 'Blood urea nitrogen (BUN)'],
    '2160-0': ['Creatinine'],
    '2951-2': ['Sodium'],
    '2823-3': ['Potassium'],
    '2075-0': ['Chloride'],
    '2028-9': ['CO2'],
    '17861-6': ['Calcium'],
    '2885-2': ['Total protein', 'Protein total'],
    '10834-0': ['Globulin'],
    '1975-2': ['Bilirubin total', 'Total bilirubin'],
    '1968-7': ['Bilirubin direct'],
    '6768-6': ['Alkaline phosphatase'],
    '1920-8': ['AST'],
    '1742-6': ['ALT'],
    '2324-2': ['GGT'],
    '2093-3': ['Total cholesterol'],
    '2085-9': ['HDL cholesterol'],
    '2089-1': ['LDL cholesterol'],
    '2571-8': ['Triglycerides', 'Triglyceride'],
    '3016-3': ['TSH'],
    '3024-7': ['Free T4'],
    '3051-0': ['Free T3'],
    '62292-8': ['Vitamin D 25 hydroxy', 'Vitamin D (25-OH)'],
    '2132-9': ['Vitamin B12'],
    '2284-8': ['Folate'],
    '2276-4': ['Ferritin'],
    '2498-4': ['Iron'],
    '2500-7': ['TIBC'],
    '3084-1': ['Uric acid'],
    '19123-9': ['Magnesium'],
    '2777-1': ['Phosphate'],
    '2986-8': ['Testosterone total', 'Total testosterone'],
    '13967-5': ['Sex hormone binding globulin', 'SHBG'],
    '8099-4': ['Thyroid peroxidase antibodies', 'Thyroid peroxidase antibody'],
    '2857-1': ['PSA total', 'Total PSA'],
    '1988-5': ['CRP', 'C-reactive protein'],
    '718-7': ['Hemoglobin', 'Haemoglobin'],
    '786-4': ['MCHC'],
  },
  count: {
    '6690-2': ['WBC', 'Total leukocyte count', 'Total leucocyte count', 'TLC', 'Total WBC count'],
    '789-8': ['RBC', 'Total RBC count'],
    '777-3': ['Platelets'],
  },
  fraction: {
    '4548-4': ['Hemoglobin A1c', 'Haemoglobin A1c', 'HbA1c (Glycated hemoglobin)'],
    '4544-3': ['Hematocrit', 'Haematocrit', 'PCV/HCT', 'Hematocrit (PCV)', 'Packed cell volume'],
    '2502-3': ['Iron saturation'],
  },
  'concentration|fraction': { '1751-7': ['Albumin'] },
  'fraction|cell volume': { '788-0': ['RDW', 'RDW CV'] },
  'count|fraction': {
    '770-8': ['Neutrophils', 'Neutrophil', 'Polymorphs'],
    '736-9': ['Lymphocytes', 'Lymphocyte'],
    '5905-5': ['Monocytes', 'Monocyte'],
    '713-8': ['Eosinophils', 'Eosinophil'],
    '706-2': ['Basophils', 'Basophil'],
  },
  'cell volume': { '787-2': ['MCV'], '32623-1': ['MPV'] },
  'cell mass': { '785-6': ['MCH'] },
  sedimentation: { '4537-7': ['ESR', 'Erythrocyte sedimentation rate'] },
  clearance: { '98979-8': ['eGFR'] },
};

const keyOf = (words: readonly string[]) => words.toSorted().join(' ');

const known = new Map<string, Known>(
  Object.entries(table).flatMap(([of, analytes]) => {
    const quantities = new Set(of.split('|') as Quantity[]);
    return Object.entries(analytes).flatMap(([code, names]) =>
      [...names, ...(synonyms[code] ?? []), ...(assumedNames[code] ?? [])].map(
        (name) => [keyOf(wordsOfName(name)), { code, quantities }] as const,
      ),
    );
  }),
);

/** Whether a text is the names of two usual analytes, one behind the other: a row that lost its value or its line. */
export function namesTwoAnalytes(name: string): boolean {
  const words = name.split(' ');
  if (words.length > 8 || knownAnalyte(name)) return false;
  // `Magnesium, RBC` is one name.
  return words.some(
    (_, at) =>
      at > 0 &&
      words[at - 1]?.endsWith(',') === false &&
      knownAnalyte(words.slice(0, at).join(' ')) &&
      knownAnalyte(words.slice(at).join(' ')),
  );
}

/** The usual analyte that a text names; undefined for other texts. */
export function knownAnalyte(name: string): Known | undefined {
  if (name.length > 60) return undefined;
  for (const { words } of variantsOf(name)) {
    const found = known.get(keyOf(words));
    if (found) return found;
  }
  return undefined;
}

const quantityOfKind: Readonly<Record<string, Quantity>> = {
  substance: 'concentration',
  mass: 'concentration',
  activity: 'concentration',
  count: 'count',
  fraction: 'fraction',
  'fraction of moles': 'fraction',
  'cell volume': 'cell volume',
  'cell mass': 'cell mass',
  sedimentation: 'sedimentation',
  clearance: 'clearance',
  'clearance of the body surface': 'clearance',
};

/** The quantity that a unit measures; undefined for units that say nothing about it. */
export const quantityOf = (unit: string): Quantity | undefined => quantityOfKind[unitKind(unit) ?? ''];
