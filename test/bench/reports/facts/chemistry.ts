import { measured, molar } from './analyte.ts';

const enzyme = ['U/L', 'IU/L'];
const electrolyte = ['mmol/L', 'mEq/L'];

export const metabolic = [
  measured('2345-7', ['Glucose', 'Glucose, Serum', 'GLUCOSE'], ['mg/dL'], [70, 99], 0, [58, 190], molar('14749-6', 'mmol/L', 0.0555, 1)),
  measured(
    '3094-0',
    ['BUN', 'Urea Nitrogen (BUN)', 'Blood Urea Nitrogen'],
    ['mg/dL'],
    [6, 20],
    0,
    [5, 34],
    molar('22664-7', 'mmol/L', 0.357, 1),
  ),
  measured('2160-0', ['Creatinine', 'Creatinine, Serum'], ['mg/dL'], [0.57, 1.27], 2, [0.5, 1.9], molar('14682-9', 'umol/L', 88.4, 0)),
  measured(
    '98979-8 33914-3 62238-1 69405-9',
    ['eGFR', 'Estimated GFR (eGFR)', 'eGFR (CKD-EPI 2021)'],
    ['mL/min/1.73m2', 'mL/min/1.73'],
    [59, null],
    0,
    [38, 120],
  ),
  measured('3097-3', ['BUN/Creatinine Ratio'], [], [9, 23], 0, [7, 28]),
  measured('2951-2', ['Sodium', 'Sodium, Serum'], electrolyte, [134, 144], 0, [130, 148]),
  measured('2823-3', ['Potassium', 'Potassium, Serum'], electrolyte, [3.5, 5.2], 1, [3.2, 5.8]),
  measured('2075-0', ['Chloride', 'Chloride, Serum'], electrolyte, [96, 106], 0, [93, 110]),
  measured('2028-9', ['Carbon Dioxide, Total', 'CO2', 'Carbon Dioxide'], electrolyte, [20, 29], 0, [17, 32]),
  measured('17861-6', ['Calcium', 'Calcium, Total'], ['mg/dL'], [8.7, 10.2], 1, [8.3, 10.8], molar('2000-8', 'mmol/L', 0.25, 2)),
  measured('2885-2', ['Protein, Total', 'Total Protein'], ['g/dL'], [6, 8.5], 1, [5.6, 9]),
  measured('1751-7', ['Albumin', 'Albumin, Serum'], ['g/dL'], [3.9, 4.9], 1, [3.2, 5.4]),
  measured('10834-0 2336-6', ['Globulin, Total', 'Globulin'], ['g/dL'], [1.5, 4.5], 1, [1.2, 5]),
  measured('1759-0', ['A/G Ratio', 'Albumin/Globulin Ratio'], [], [1.2, 2.2], 1, [0.9, 2.6]),
  measured('1975-2', ['Bilirubin, Total', 'Total Bilirubin'], ['mg/dL'], [0, 1.2], 1, [0.2, 2.1], molar('14631-6', 'umol/L', 17.1, 0)),
  measured('6768-6', ['Alkaline Phosphatase', 'ALP', 'Alk Phos'], enzyme, [44, 121], 0, [30, 160]),
  measured('1920-8', ['AST (SGOT)', 'AST', 'Aspartate Aminotransferase (AST)'], enzyme, [0, 40], 0, [9, 70]),
  measured('1742-6', ['ALT (SGPT)', 'ALT', 'Alanine Aminotransferase (ALT)'], enzyme, [0, 44], 0, [8, 80]),
];

export const lipids = [
  measured(
    '2093-3',
    ['Cholesterol, Total', 'Total Cholesterol', 'Cholesterol'],
    ['mg/dL'],
    [100, 199],
    0,
    [95, 280],
    molar('14647-2', 'mmol/L', 0.02586, 2),
  ),
  measured('2571-8', ['Triglycerides', 'Triglyceride'], ['mg/dL'], [0, 149], 0, [40, 310], molar('14927-8', 'mmol/L', 0.01129, 2)),
  measured(
    '2085-9',
    ['HDL Cholesterol', 'HDL', 'HDL-Cholesterol'],
    ['mg/dL'],
    [39, null],
    0,
    [28, 90],
    molar('14646-4', 'mmol/L', 0.02586, 2),
  ),
  measured('13458-5', ['VLDL Cholesterol Cal', 'VLDL Cholesterol'], ['mg/dL'], [5, 40], 0, [4, 60]),
  measured(
    '13457-7',
    ['LDL Chol Calc (NIH)', 'LDL Cholesterol, Calculated', 'LDL-Cholesterol (calc)'],
    ['mg/dL'],
    [0, 99],
    0,
    [45, 190],
    molar('39469-2', 'mmol/L', 0.02586, 2),
  ),
  measured('9830-1', ['T. Chol/HDL Ratio', 'Cholesterol/HDL Ratio', 'Chol/HDLC Ratio'], ['ratio'], [0, 5], 1, [2, 7]),
  measured('43396-1', ['Non-HDL Cholesterol', 'Non HDL Cholesterol'], ['mg/dL'], [null, 130], 0, [70, 210]),
  measured('1884-6', ['Apolipoprotein B', 'Apolipoprotein B (ApoB)'], ['mg/dL'], [null, 90], 0, [50, 140]),
  measured('43583-4', ['Lipoprotein (a)', 'Lipoprotein(a)'], ['nmol/L'], [null, 75], 0, [9, 180]),
  measured('30522-7', ['C-Reactive Protein, Cardiac', 'hs-CRP', 'hs CRP'], ['mg/L'], [0, 3], 2, [0.2, 6], {
    comment: ['Relative risk for future cardiovascular event', 'Low: <1.00', 'Average: 1.00 - 3.00', 'High: >3.00'],
  }),
];

export const liver = [
  measured('1968-7', ['Bilirubin, Direct', 'Direct Bilirubin'], ['mg/dL'], [0, 0.4], 2, [0.05, 0.7]),
  measured('2324-2', ['GGT', 'Gamma-Glutamyl Transferase'], enzyme, [0, 65], 0, [8, 110]),
  measured('2532-0 14804-9 14805-6', ['LDH', 'Lactate Dehydrogenase'], enzyme, [121, 224], 0, [110, 270]),
  measured('3084-1', ['Uric Acid'], ['mg/dL'], [3.8, 8.4], 1, [3, 9.8], molar('14933-6', 'umol/L', 59.48, 0)),
  measured('2777-1', ['Phosphorus', 'Phosphorus, Serum'], ['mg/dL'], [2.8, 4.1], 1, [2.2, 5]),
  measured('19123-9', ['Magnesium', 'Magnesium, Serum'], ['mg/dL'], [1.6, 2.3], 1, [1.3, 2.7]),
  measured('1798-8', ['Amylase'], enzyme, [31, 110], 0, [22, 160]),
  measured('3040-3', ['Lipase'], enzyme, [13, 78], 0, [10, 120]),
  measured('2157-6', ['Creatine Kinase, Total', 'CK, Total'], enzyme, [41, 331], 0, [30, 480]),
];
