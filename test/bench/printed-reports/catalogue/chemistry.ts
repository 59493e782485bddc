import { analyte, q } from './analyte.ts';

export const chemistry = [
  analyte('glucose', 'Glucose|Glucose|Glucose, Fasting~Fasting Blood Sugar', {
    conventional: q('mg/dL', '2345-7 1558-6', '70-99', 0),
    si: q('mmol/L', '14749-6', '3.9-5.5', 1, 0.0555),
    method: 'Hexokinase',
  }),
  analyte('bun', 'Urea Nitrogen (BUN)~BUN|Urea|Blood Urea Nitrogen~BUN', {
    conventional: q('mg/dL', '3094-0', '7-25', 0),
    si: q('mmol/L', '22664-7', '2.5-7.8', 1, 0.357),
    method: 'Urease GLDH',
  }),
  analyte('urea', 'Urea|Urea|Urea~Blood Urea', {
    conventional: q('mg/dL', '3091-6', '17-43', 1),
    si: q('mmol/L', '22664-7', '2.5-7.8', 1, 0.1665),
    method: 'Urease-GLDH, Kinetic',
  }),
  analyte('creatinine', 'Creatinine|Creatinine|Creatinine~Serum Creatinine', {
    conventional: q('mg/dL', '2160-0', 'M 0.74-1.35|F 0.59-1.04', 2),
    si: q('umol/L', '14682-9', 'M 59-104|F 45-84', 0, 88.42),
    method: 'Modified Jaffe',
  }),
  analyte('egfr', 'eGFR (CKD-EPI 2021)|eGFR (CKD-EPI)|eGFR (CKD-EPI 2021)', {
    conventional: q('mL/min/1.73m2', '98979-8', '>=60', 0),
    si: q('mL/min/1.73m2', '62238-1 98979-8', '>=60', 0),
    reportable: { high: '90' },
    method: 'Calculated',
  }),
  analyte('sodium', 'Sodium', {
    conventional: q('mmol/L', '2951-2', '135-146', 0),
    si: q('mmol/L', '2951-2', '133-146', 0),
    method: 'ISE Indirect',
  }),
  analyte('potassium', 'Potassium', {
    conventional: q('mmol/L', '2823-3', '3.5-5.3', 1),
    si: q('mmol/L', '2823-3', '3.5-5.3', 1),
    method: 'ISE Indirect',
  }),
  analyte('chloride', 'Chloride', {
    conventional: q('mmol/L', '2075-0', '98-110', 0),
    si: q('mmol/L', '2075-0', '95-108', 0),
    method: 'ISE Indirect',
  }),
  analyte('co2', 'Carbon Dioxide~CO2|Bicarbonate|Bicarbonate', {
    conventional: q('mmol/L', '2028-9', '20-32', 0),
    si: q('mmol/L', '1963-8 2028-9', '22-29', 0),
    method: 'PEPC',
  }),
  analyte('calcium', 'Calcium|Calcium|Calcium~Calcium, Total', {
    conventional: q('mg/dL', '17861-6', '8.6-10.3', 1),
    si: q('mmol/L', '2000-8', '2.15-2.55', 2, 0.2495),
    method: 'Arsenazo III',
  }),
  analyte('adjustedCalcium', 'Calcium, Corrected|Adjusted calcium|Corrected Calcium', {
    conventional: q('mg/dL', '', '8.6-10.3', 1),
    si: q('mmol/L', '29265-6', '2.20-2.60', 2, 0.2495),
  }),
  analyte('phosphate', 'Phosphorus|Phosphate|Phosphorus', {
    conventional: q('mg/dL', '2777-1', '2.5-4.5', 1),
    si: q('mmol/L', '14879-1', '0.80-1.50', 2, 0.323),
    method: 'Phosphomolybdate UV',
  }),
  analyte('magnesium', 'Magnesium', {
    conventional: q('mg/dL', '19123-9', '1.5-2.5', 1),
    si: q('mmol/L', '2601-3', '0.70-1.00', 2, 0.4114),
    method: 'Xylidyl Blue',
  }),
  analyte('urate', 'Uric Acid|Urate|Uric Acid', {
    conventional: q('mg/dL', '3084-1', 'M 4.0-8.0|F 2.5-7.0', 1),
    si: q('umol/L', '14933-6', 'M 200-430|F 140-360', 0, 59.48),
    method: 'Uricase',
  }),
  analyte('protein', 'Protein, Total~Total Protein|Total protein|Total Protein', {
    conventional: q('g/dL', '2885-2', '6.1-8.1', 1),
    si: q('g/L', '2885-2', '60-80', 0, 10),
    method: 'Biuret',
  }),
  analyte('albumin', 'Albumin', {
    conventional: q('g/dL', '1751-7', '3.6-5.1', 1),
    si: q('g/L', '1751-7', '35-50', 0, 10),
    method: 'Bromocresol Green',
  }),
  analyte('globulin', 'Globulin, Calculated~Globulin|Globulin|Globulin', {
    conventional: q('g/dL', '10834-0', '1.9-3.7', 1),
    si: q('g/L', '10834-0', '18-36', 0, 10),
    method: 'Calculated',
  }),
  analyte('agRatio', 'Albumin/Globulin Ratio|A/G ratio|A : G Ratio', { conventional: q('', '1759-0', '1.0-2.5', 1), method: 'Calculated' }),
  analyte('bilirubin', 'Bilirubin, Total~Total Bilirubin|Total bilirubin~Bilirubin|Bilirubin Total', {
    conventional: q('mg/dL', '1975-2', '0.2-1.2', 1),
    si: q('umol/L', '14631-6', '<21', 0, 17.1),
    method: 'Diazo',
  }),
  analyte('bilirubinDirect', 'Bilirubin, Direct|Conjugated bilirubin|Bilirubin Direct', {
    conventional: q('mg/dL', '1968-7', '<=0.3', 1),
    si: q('umol/L', '14629-0', '<5', 0, 17.1),
    method: 'Diazo',
  }),
  analyte('bilirubinIndirect', 'Bilirubin, Indirect|Unconjugated bilirubin|Bilirubin Indirect', {
    conventional: q('mg/dL', '1971-1', '0.2-0.9', 1),
    si: q('umol/L', '14630-8', '<17', 0, 17.1),
    method: 'Calculated',
  }),
  analyte('alp', 'Alkaline Phosphatase|Alkaline phosphatase~ALP|Alkaline Phosphatase (ALP)', {
    conventional: q('U/L', '6768-6', '35-144', 0),
    si: q('U/L', '6768-6', '30-130', 0),
    method: 'IFCC, AMP buffer',
  }),
  analyte('ast', 'AST~AST (SGOT)|AST~Aspartate transaminase|SGOT (AST)~AST (SGOT)', {
    conventional: q('U/L', '1920-8', 'M 10-40|F 10-35', 0),
    si: q('U/L', '1920-8', '<40', 0),
    method: 'IFCC without P5P',
  }),
  analyte('alt', 'ALT~ALT (SGPT)|ALT~Alanine transaminase|SGPT (ALT)~ALT (SGPT)', {
    conventional: q('U/L', '1742-6', 'M 9-46|F 6-29', 0),
    si: q('U/L', '1742-6', 'M <50|F <35', 0),
    method: 'IFCC without P5P',
  }),
  analyte('ggt', 'GGT|Gamma GT~GGT|Gamma GT (GGTP)~GGT', {
    conventional: q('U/L', '2324-2', 'M 3-70|F 3-55', 0),
    si: q('U/L', '2324-2', 'M <60|F <40', 0),
    method: 'IFCC',
  }),
  analyte('ck', 'Creatine Kinase, Total|Creatine kinase|CPK, Total', {
    conventional: q('U/L', '2157-6', 'M 44-196|F 29-143', 0),
    si: q('U/L', '2157-6', 'M 40-320|F 25-200', 0),
  }),
  analyte('bunRatio', 'BUN/Creatinine Ratio|Urea/creatinine ratio|BUN / Creatinine Ratio', { conventional: q('', '3097-3', '6-22', 0) }),
  analyte('crp', 'C-Reactive Protein|CRP~C-reactive protein|C-Reactive Protein (CRP)', {
    conventional: q('mg/L', '1988-5', '<8.0', 1),
    si: q('mg/L', '1988-5', '<5', 0),
    reportable: { low: '1.0' },
    method: 'Immunoturbidimetry',
  }),
  analyte('hscrp', 'hs-CRP|hs-CRP|hs-CRP', {
    conventional: q('mg/L', '30522-7', '<1.0', 1),
    si: q('mg/L', '30522-7', '<3.0', 1),
    reportable: { low: '0.3' },
    method: 'Nephelometry',
  }),
];
