/** An analyte as laboratories of a country print it. Ranges are those that laboratories commonly publish. */
export interface Fact {
  readonly us: string;
  readonly uk: string;
  readonly india: string;
  readonly unit: string;
  /** Where it differs: British unit, the factor to it, and its decimals. */
  readonly si?: readonly [unit: string, factor: number, decimals: number];
  readonly range: readonly [min: number | null, max: number | null];
  readonly decimals: number;
  readonly spread: readonly [low: number, high: number];
  /** Codes that may be matched without review: in the first unit, and in the British one. */
  readonly codes: readonly string[];
  readonly siCodes?: readonly string[];
}

const fact = (
  [us, uk, india]: readonly [string, string, string],
  unit: string,
  range: Fact['range'],
  decimals: number,
  spread: Fact['spread'],
  codes: string,
  si?: Fact['si'],
  siCodes = codes,
): Fact => ({ us, uk, india, unit, range, decimals, spread, codes: codes.split(' '), siCodes: siCodes.split(' '), ...(si && { si }) });

export const chemistry: readonly Fact[] = [
  fact(
    ['Glucose', 'Plasma glucose', 'Glucose, Fasting'],
    'mg/dL',
    [70, 99],
    0,
    [62, 190],
    '2345-7 1558-6',
    ['mmol/L', 0.0555, 1],
    '14749-6',
  ),
  fact(
    ['Urea Nitrogen (BUN)', 'Serum urea', 'Blood Urea Nitrogen (BUN)'],
    'mg/dL',
    [7, 25],
    0,
    [5, 41],
    '3094-0',
    ['mmol/L', 0.357, 1],
    '22664-7',
  ),
  fact(
    ['Creatinine', 'Serum creatinine', 'Creatinine, Serum'],
    'mg/dL',
    [0.6, 1.29],
    2,
    [0.5, 2.4],
    '2160-0',
    ['umol/L', 88.4, 0],
    '14682-9',
  ),
  fact(['Sodium', 'Serum sodium', 'Sodium'], 'mmol/L', [135, 146], 0, [124, 150], '2951-2'),
  fact(['Potassium', 'Serum potassium', 'Potassium'], 'mmol/L', [3.5, 5.3], 1, [2.9, 6.2], '2823-3'),
  fact(['Chloride', 'Serum chloride', 'Chloride'], 'mmol/L', [98, 110], 0, [92, 114], '2075-0'),
  fact(['Calcium', 'Serum calcium', 'Calcium'], 'mg/dL', [8.6, 10.3], 1, [7.6, 11.4], '17861-6', ['mmol/L', 0.2495, 2], '2000-8'),
  fact(['Protein, Total', 'Total protein', 'Total Protein'], 'g/dL', [6.1, 8.1], 1, [5.2, 8.9], '2885-2'),
  fact(['Albumin', 'Serum albumin', 'Albumin'], 'g/dL', [3.6, 5.1], 1, [2.8, 5.6], '1751-7', ['g/L', 10, 0]),
  fact(
    ['Bilirubin, Total', 'Serum total bilirubin', 'Bilirubin Total'],
    'mg/dL',
    [0.2, 1.2],
    1,
    [0.2, 3.1],
    '1975-2',
    ['umol/L', 17.1, 0],
    '14631-6',
  ),
  fact(['Alkaline Phosphatase', 'Serum alkaline phosphatase', 'Alkaline Phosphatase (ALP)'], 'U/L', [36, 130], 0, [28, 240], '6768-6'),
  fact(['AST', 'Serum AST', 'SGOT (AST)'], 'U/L', [10, 35], 0, [9, 120], '1920-8'),
  fact(['ALT', 'Serum ALT', 'SGPT (ALT)'], 'U/L', [9, 46], 0, [8, 140], '1742-6'),
];

export const lipids: readonly Fact[] = [
  fact(
    ['Cholesterol, Total', 'Serum cholesterol', 'Total Cholesterol'],
    'mg/dL',
    [null, 200],
    0,
    [120, 290],
    '2093-3',
    ['mmol/L', 0.02586, 1],
    '14647-2',
  ),
  fact(
    ['HDL Cholesterol', 'Serum HDL cholesterol', 'HDL Cholesterol'],
    'mg/dL',
    [40, null],
    0,
    [28, 90],
    '2085-9',
    ['mmol/L', 0.02586, 1],
    '14646-4',
  ),
  fact(
    ['Triglycerides', 'Serum triglycerides', 'Triglycerides'],
    'mg/dL',
    [null, 150],
    0,
    [48, 380],
    '2571-8',
    ['mmol/L', 0.01129, 1],
    '14927-8',
  ),
  fact(
    ['LDL Cholesterol', 'LDL cholesterol', 'LDL Cholesterol'],
    'mg/dL',
    [null, 100],
    0,
    [44, 190],
    '2089-1',
    ['mmol/L', 0.02586, 1],
    '22748-8',
  ),
];

export const hormones: readonly Fact[] = [
  fact(['TSH', 'Serum TSH', 'TSH'], 'mIU/L', [0.4, 4.5], 2, [0.02, 11], '3016-3'),
  fact(['T4, Free', 'Serum free T4', 'Free T4'], 'ng/dL', [0.8, 1.8], 1, [0.5, 2.9], '3024-7', ['pmol/L', 12.87, 1], '14920-3'),
  fact(['Vitamin B12', 'Serum vitamin B12', 'Vitamin B12'], 'pg/mL', [200, 1100], 0, [120, 1400], '2132-9', ['ng/L', 1, 0]),
  fact(['Ferritin', 'Serum ferritin', 'Ferritin'], 'ng/mL', [38, 380], 0, [6, 520], '2276-4', ['ug/L', 1, 0]),
  fact(['Hemoglobin A1c', 'Haemoglobin A1c', 'HbA1c'], '%', [null, 5.7], 1, [4.7, 9.8], '4548-4'),
];

/** Of a blood count, whose values are drawn together. */
export const bloodCount: readonly Fact[] = [
  fact(
    ['White Blood Cell Count', 'Total white cell count', 'Total Leukocyte Count (TLC)'],
    'Thousand/uL',
    [3.8, 10.8],
    1,
    [2.4, 15],
    '6690-2',
    ['10*9/L', 1, 1],
  ),
  fact(['Red Blood Cell Count', 'Red blood cell count', 'RBC Count'], 'Million/uL', [4.2, 5.8], 2, [3.4, 6.3], '789-8', ['10*12/L', 1, 2]),
  fact(['Hemoglobin', 'Haemoglobin', 'Haemoglobin'], 'g/dL', [13.2, 17.1], 1, [9, 18.5], '718-7', ['g/L', 10, 0]),
  fact(['Hematocrit', 'Haematocrit', 'PCV (Packed Cell Volume)'], '%', [38.5, 50], 1, [28, 55], '4544-3'),
  fact(['MCV', 'Mean cell volume', 'MCV'], 'fL', [80, 100], 1, [70, 108], '787-2'),
  fact(['MCH', 'Mean cell haemoglobin', 'MCH'], 'pg', [27, 33], 1, [22, 36], '785-6'),
  fact(['MCHC', 'MCHC', 'MCHC'], 'g/dL', [32, 36], 1, [29, 38], '786-4'),
  fact(['Platelet Count', 'Platelet count', 'Platelet Count'], 'Thousand/uL', [140, 400], 0, [80, 510], '777-3', ['10*9/L', 1, 0]),
];

export const differential: readonly Fact[] = [
  fact(['Neutrophils', 'Neutrophils', 'Neutrophils'], '%', [40, 74], 0, [30, 82], '770-8'),
  fact(['Lymphocytes', 'Lymphocytes', 'Lymphocytes'], '%', [14, 46], 0, [10, 55], '736-9'),
  fact(['Monocytes', 'Monocytes', 'Monocytes'], '%', [4, 12], 0, [2, 14], '5905-5'),
  fact(['Eosinophils', 'Eosinophils', 'Eosinophils'], '%', [1, 6], 0, [0, 9], '713-8'),
  fact(['Basophils', 'Basophils', 'Basophils'], '%', [0, 2], 0, [0, 2], '706-2'),
];
