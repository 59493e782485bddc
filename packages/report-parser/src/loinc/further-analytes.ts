import type { Analyte } from '../model/report.ts';

const analyte = (loincCode: string, loincName: string, unit: string, displayName: string, ...aliases: readonly string[]): Analyte => ({
  loincCode,
  loincName,
  displayName,
  aliases,
  units: [unit],
});

/**
 * Analytes that no laboratory of the catalogue offers, but that reports contain: in moles, as foreign laboratories report them, or by another
 * method or unit.
 */
export const furtherAnalytes: readonly Analyte[] = [
  analyte('2089-1', 'Cholesterol in LDL [Mass/volume] in Serum or Plasma', 'mg/dL', 'LDL cholesterol'),
  analyte('48066-5', 'Fibrin D-dimer DDU [Mass/volume] in Platelet poor plasma', 'ng/mL DDU', 'D-dimer', 'D-dimer DDU'),
  analyte('14749-6', 'Glucose [Moles/volume] in Serum or Plasma', 'mmol/L', 'Glucose'),
  analyte('22664-7', 'Urea nitrogen [Moles/volume] in Serum or Plasma', 'mmol/L', 'Urea nitrogen', 'BUN', 'Blood urea nitrogen'),
  analyte('14682-9', 'Creatinine [Moles/volume] in Serum or Plasma', 'umol/L', 'Creatinine'),
  analyte('2000-8', 'Calcium [Moles/volume] in Serum or Plasma', 'mmol/L', 'Calcium', 'Calcium total'),
  analyte(
    '29265-6',
    'Calcium [Moles/volume] corrected for albumin in Serum or Plasma',
    'mmol/L',
    'Adjusted calcium',
    'Corrected calcium',
    'Calcium adjusted',
  ),
  analyte('14879-1', 'Phosphate [Moles/volume] in Serum or Plasma', 'mmol/L', 'Phosphate', 'Inorganic phosphate', 'Phosphorus'),
  analyte('3091-6', 'Urea [Mass/volume] in Serum or Plasma', 'mg/dL', 'Urea', 'Blood urea', 'Serum urea'),
  analyte('14631-6', 'Bilirubin.total [Moles/volume] in Serum or Plasma', 'umol/L', 'Bilirubin, total', 'Bilirubin'),
  analyte('14933-6', 'Urate [Moles/volume] in Serum or Plasma', 'umol/L', 'Uric acid', 'Urate'),
  analyte('14798-3', 'Iron [Moles/volume] in Serum or Plasma', 'umol/L', 'Iron', 'Iron total'),
  analyte('14647-2', 'Cholesterol [Moles/volume] in Serum or Plasma', 'mmol/L', 'Cholesterol, total', 'Cholesterol'),
  analyte('14646-4', 'Cholesterol in HDL [Moles/volume] in Serum or Plasma', 'mmol/L', 'HDL cholesterol', 'HDL', 'HDL-C'),
  analyte(
    '70204-3',
    'Cholesterol non HDL [Moles/volume] in Serum or Plasma',
    'mmol/L',
    'Non-HDL cholesterol',
    'Non HDL',
    'Cholesterol non-HDL',
  ),
  analyte('22748-8', 'Cholesterol in LDL [Moles/volume] in Serum or Plasma', 'mmol/L', 'LDL cholesterol', 'LDL', 'LDL-C'),
  analyte(
    '39469-2',
    'Cholesterol in LDL [Moles/volume] in Serum or Plasma by calculation',
    'mmol/L',
    'LDL cholesterol, calculated',
    'LDL calculated',
    'LDL chol NIH calculated',
  ),
  analyte('14927-8', 'Triglyceride [Moles/volume] in Serum or Plasma', 'mmol/L', 'Triglycerides'),
  analyte(
    '14920-3',
    'Thyroxine (T4) free [Moles/volume] in Serum or Plasma',
    'pmol/L',
    'Free T4',
    'T4 free',
    'T4 free direct',
    'Thyroxine free',
    'FT4',
  ),
  analyte('59261-8', 'Hemoglobin A1c/Hemoglobin.total in Blood by IFCC protocol', 'mmol/mol', 'HbA1c', 'Hemoglobin A1c', 'HbA1c IFCC'),
  analyte('14928-6', 'Triiodothyronine (T3) Free [Moles/volume] in Serum or Plasma', 'pmol/L', 'Free T3', 'T3 free', 'FT3'),
  analyte('14800-7', 'Iron binding capacity [Moles/volume] in Serum or Plasma', 'umol/L', 'TIBC', 'Total iron binding capacity'),
  analyte('14683-7', 'Creatinine [Moles/volume] in Urine', 'mmol/L', 'Urine creatinine', 'Creatinine, urine'),
  analyte(
    '14913-8',
    'Testosterone [Moles/volume] in Serum or Plasma',
    'nmol/L',
    'Testosterone, total',
    'Testosterone',
    'Testosterone total MS',
  ),
];
