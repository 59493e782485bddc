import { analyte, q } from './analyte.ts';

export const hormones = [
  analyte('tsh', 'TSH|TSH~TSH~Serum TSH level|TSH (Ultrasensitive)~Thyroid Stimulating Hormone (TSH)', {
    conventional: q('mIU/L', '3016-3', '0.40-4.50', 2),
    si: q('mU/L', '3016-3', '0.27-4.20', 2),
    india: q('uIU/mL', '3016-3', '0.350-4.940', 3),
    reportable: { low: '0.01', high: '100' },
    method: 'CMIA',
  }),
  analyte('ft4', 'T4, Free~Free T4|Free T4~Free T4~Serum free T4 level|Free T4~Free Thyroxine (FT4)', {
    conventional: q('ng/dL', '3024-7', '0.8-1.8', 1),
    si: q('pmol/L', '14920-3', '12.0-22.0', 1, 12.87),
    method: 'CMIA',
  }),
  analyte('ft3', 'T3, Free~Free T3|Free T3|Free T3~Free Triiodothyronine (FT3)', {
    conventional: q('pg/mL', '3051-0', '2.3-4.2', 1),
    si: q('pmol/L', '14928-6', '3.1-6.8', 1, 1.536),
    method: 'CMIA',
  }),
  analyte('t4', 'T4 (Thyroxine), Total|Total T4|T4, Total', {
    conventional: q('ug/dL', '3026-2', '5.1-11.9', 1),
    si: q('nmol/L', '14921-1', '66-181', 0, 12.87),
    method: 'CLIA',
  }),
  analyte('t3', 'T3, Total|Total T3|T3, Total', {
    conventional: q('ng/dL', '3053-6', '76-181', 0),
    si: q('nmol/L', '14930-2', '1.3-3.1', 1, 0.01536),
    method: 'CLIA',
  }),
  analyte('testosterone', 'Testosterone, Total|Testosterone|Testosterone, Total', {
    conventional: q('ng/dL', '2986-8', 'M 250-1100|F 2-45', 0),
    si: q('nmol/L', '14913-8', 'M 8.6-29.0|F 0.3-1.7', 1, 0.0347),
    method: 'CMIA',
  }),
  analyte('freeTestosterone', 'Testosterone, Free', { conventional: q('pg/mL', '2991-8', 'M 35.0-155.0|F 0.1-6.4', 1) }),
  analyte('shbg', 'Sex Hormone Binding Globulin|SHBG|SHBG', {
    conventional: q('nmol/L', '13967-5', 'M 10-50|F 17-124', 0),
    si: q('nmol/L', '13967-5', 'M 18-54|F 32-128', 0),
  }),
  analyte('estradiol', 'Estradiol|Oestradiol|Estradiol (E2)', {
    conventional: q('pg/mL', '2243-4', 'M <=39|F 19-357', 0),
    si: q('pmol/L', '14715-7', 'M 41-159|F 70-1310', 0, 3.671),
    reportable: { low: '15' },
    method: 'CMIA',
  }),
  analyte('fsh', 'FSH|FSH|FSH', {
    conventional: q('mIU/mL', '15067-2', 'M 1.6-8.0|F 2.5-10.2', 1),
    si: q('IU/L', '15067-2', 'M 1.5-12.4|F 3.5-12.5', 1),
    method: 'CMIA',
  }),
  analyte('lh', 'LH|LH|LH', {
    conventional: q('mIU/mL', '10501-5', 'M 1.5-9.3|F 1.9-12.5', 1),
    si: q('IU/L', '10501-5', 'M 1.7-8.6|F 2.4-12.6', 1),
    method: 'CMIA',
  }),
  analyte('prolactin', 'Prolactin', { conventional: q('ng/mL', '2842-3', 'M 2.0-18.0|F 3.0-30.0', 1), method: 'CMIA' }),
  analyte('cortisol', 'Cortisol, A.M.|Cortisol (9am)|Cortisol (Morning)', {
    conventional: q('ug/dL', '9813-7 2143-6', '4.0-22.0', 1),
    si: q('nmol/L', '14675-3', '133-537', 0, 27.59),
    method: 'CMIA',
  }),
  analyte('dheas', 'DHEA Sulfate|DHEA sulphate|DHEA-S', {
    conventional: q('ug/dL', '2191-5', 'M 70-495|F 45-320', 0),
    si: q('umol/L', '14688-6', 'M 2.2-15.2|F 1.7-9.2', 1, 0.02714),
  }),
  analyte('insulin', 'Insulin|Insulin|Insulin, Fasting', {
    conventional: q('uIU/mL', '20448-7', '<=18.4', 1),
    si: q('mU/L', '20448-7', '2.6-24.9', 1),
    method: 'ECLIA',
  }),
  analyte('igf1', 'IGF-1', { conventional: q('ng/mL', '2484-4', '50-317', 0) }),
  analyte('psa', 'PSA, Total|PSA|PSA, Total', {
    conventional: q('ng/mL', '2857-1', '<=4.00', 2),
    si: q('ug/L', '2857-1', '<3.0', 2),
    reportable: { low: '0.04' },
    method: 'CMIA',
  }),
  analyte('pth', 'PTH, Intact|Parathyroid hormone|PTH, Intact', {
    conventional: q('pg/mL', '2731-8', '16-77', 0),
    si: q('pmol/L', '14866-8', '1.6-6.9', 1, 0.106),
    method: 'ECLIA',
  }),
  analyte('tpo', 'Thyroid Peroxidase Antibodies|TPO antibodies|Anti TPO', {
    conventional: q('IU/mL', '8099-4', '<9', 0),
    si: q('IU/mL', '8099-4', '<34', 0),
    reportable: { low: '1', high: '900' },
  }),
];

export const diabetes = [
  analyte('a1c', 'Hemoglobin A1c~HbA1c|HbA1c (DCCT)|HbA1c (Glycosylated Haemoglobin)~HbA1c', {
    conventional: q('%', '4548-4', '<5.7', 1),
    si: q('%', '4548-4', '4.0-6.0', 1),
    specimen: 'Whole blood (EDTA)',
    method: 'HPLC',
  }),
  analyte('a1cIfcc', 'Hemoglobin A1c (IFCC)|HbA1c (IFCC)~HbA1c|HbA1c (IFCC)', {
    conventional: q('mmol/mol', '59261-8', '20-41', 0),
    si: q('mmol/mol', '59261-8', '20-41', 0),
    specimen: 'Whole blood (EDTA)',
  }),
  analyte('eag', 'Estimated Average Glucose|Estimated average glucose|Estimated Average Glucose (eAG)', {
    conventional: q('mg/dL', '27353-2', '90-120', 0),
    si: q('mmol/L', '53553-4', '5.0-6.7', 1, 0.0555),
    specimen: 'Whole blood (EDTA)',
    method: 'Calculated',
  }),
];

export const nutrition = [
  analyte('vitaminD', 'Vitamin D, 25-OH, Total|Vitamin D (25-OH)~25-hydroxyvitamin D|Vitamin D, 25-Hydroxy~25-OH Vitamin D (Total)', {
    conventional: q('ng/mL', '62292-8 1989-3', '30-100', 1),
    si: q('nmol/L', '68438-1 14635-7', '50-175', 0, 2.496),
    reportable: { low: '4.0' },
    method: 'CLIA',
  }),
  analyte('b12', 'Vitamin B12|Vitamin B12~Serum vitamin B12|Vitamin B12~Vitamin B-12', {
    conventional: q('pg/mL', '2132-9', '200-1100', 0),
    si: q('ng/L', '2132-9', '197-771', 0),
    reportable: { high: '2000' },
    method: 'CMIA',
  }),
  analyte('folate', 'Folate, Serum|Folate~Serum folate|Folic Acid', {
    conventional: q('ng/mL', '2284-8', '>5.4', 1),
    si: q('ug/L', '2284-8', '3.9-26.8', 1),
    reportable: { high: '24.0' },
    method: 'CMIA',
  }),
  analyte('ferritin', 'Ferritin|Ferritin~Serum ferritin|Ferritin', {
    conventional: q('ng/mL', '2276-4', 'M 38-380|F 16-232', 0),
    si: q('ug/L', '2276-4', 'M 30-400|F 13-150', 0),
    reportable: { low: '5' },
    method: 'CMIA',
  }),
  analyte('iron', 'Iron, Total~Iron|Iron|Iron', {
    conventional: q('ug/dL', '2498-4', 'M 50-180|F 40-190', 0),
    si: q('umol/L', '14798-3', '10.0-30.0', 1, 0.1791),
    method: 'Ferrozine',
  }),
  analyte('tibc', 'Iron Binding Capacity~TIBC|TIBC|TIBC', {
    conventional: q('ug/dL', '2500-7', '250-425', 0),
    si: q('umol/L', '14800-7', '45-72', 0, 0.1791),
    method: 'Calculated',
  }),
  analyte('ironSaturation', '% Saturation|Transferrin saturation|Transferrin Saturation', {
    conventional: q('%', '2502-3', '20-48', 0),
    si: q('%', '2502-3 14801-5', '20-50', 0),
    method: 'Calculated',
  }),
  analyte('zinc', 'Zinc|Zinc|Zinc', { conventional: q('ug/dL', '5763-8', '60-130', 0), si: q('umol/L', '', '11.0-24.0', 1, 0.153) }),
  analyte('ige', 'Immunoglobulin E|Total IgE|IgE, Total', {
    conventional: q('kU/L', '19113-0', '<=114', 0),
    si: q('kU/L', '19113-0', '<81', 0),
    india: q('IU/mL', '19113-0', '<=100', 1),
    reportable: { low: '2' },
  }),
];
