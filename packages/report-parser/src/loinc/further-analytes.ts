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
  analyte('14631-6', 'Bilirubin.total [Moles/volume] in Serum or Plasma', 'umol/L', 'Bilirubin, total', 'Bilirubin'),
  analyte('14933-6', 'Urate [Moles/volume] in Serum or Plasma', 'umol/L', 'Uric acid', 'Urate'),
  analyte('14798-3', 'Iron [Moles/volume] in Serum or Plasma', 'umol/L', 'Iron', 'Iron total'),
  analyte('14647-2', 'Cholesterol [Moles/volume] in Serum or Plasma', 'mmol/L', 'Cholesterol, total', 'Cholesterol'),
  analyte('14646-4', 'Cholesterol in HDL [Moles/volume] in Serum or Plasma', 'mmol/L', 'HDL cholesterol', 'HDL', 'HDL-C'),
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
  analyte(
    '14913-8',
    'Testosterone [Moles/volume] in Serum or Plasma',
    'nmol/L',
    'Testosterone, total',
    'Testosterone',
    'Testosterone total MS',
  ),
];
