import { measured, molar, worded } from './analyte.ts';

export const thyroid = [
  measured('3016-3', ['TSH', 'Thyroid Stimulating Hormone (TSH)'], ['uIU/mL', 'mIU/L'], [0.45, 4.5], 3, [0.1, 8]),
  measured(
    '3024-7',
    ['T4, Free (Direct)', 'Free T4', 'T4, Free'],
    ['ng/dL'],
    [0.82, 1.77],
    2,
    [0.6, 2.1],
    molar('14920-3', 'pmol/L', 12.87, 1),
  ),
  measured('3051-0', ['Triiodothyronine (T3), Free', 'Free T3', 'T3, Free'], ['pg/mL'], [2, 4.4], 1, [1.6, 5]),
  measured('3026-2', ['Thyroxine (T4)', 'T4 (Thyroxine), Total'], ['ug/dL', 'mcg/dL'], [4.5, 12], 1, [3.8, 13.5]),
  measured('3053-6', ['Triiodothyronine (T3)', 'T3, Total'], ['ng/dL'], [71, 180], 0, [60, 210]),
  measured('8099-4', ['Thyroid Peroxidase (TPO) Ab', 'Thyroid Peroxidase Antibodies'], ['IU/mL'], [0, 34], 0, [5, 120]),
];

export const hormones = [
  measured(
    '2986-8',
    ['Testosterone, Total', 'Testosterone, Serum', 'Testosterone, Total, MS'],
    ['ng/dL'],
    [264, 916],
    0,
    [180, 1050],
    molar('14913-8', 'nmol/L', 0.0347, 1),
  ),
  measured('2991-8', ['Free Testosterone', 'Testosterone, Free'], ['pg/mL'], [6.8, 21.5], 1, [4.5, 26]),
  measured('13967-5', ['Sex Horm Binding Glob, Serum', 'SHBG', 'Sex Hormone Binding Globulin'], ['nmol/L'], [16.5, 55.9], 1, [11, 70]),
  measured('2243-4', ['Estradiol'], ['pg/mL'], [7.6, 42.6], 1, [5.5, 55]),
  measured('15067-2', ['FSH', 'Follicle Stimulating Hormone'], ['mIU/mL'], [1.5, 12.4], 1, [1, 15]),
  measured('10501-5', ['LH', 'Luteinizing Hormone (LH)'], ['mIU/mL'], [1.7, 8.6], 1, [1, 11]),
  measured('2842-3', ['Prolactin'], ['ng/mL'], [4, 15.2], 1, [3, 22]),
  measured('2191-5', ['DHEA-Sulfate', 'DHEA Sulfate'], ['ug/dL', 'mcg/dL'], [138.5, 475.2], 1, [100, 540]),
  measured('2143-6', ['Cortisol', 'Cortisol, Total'], ['ug/dL', 'mcg/dL'], [6.2, 19.4], 1, [4, 25]),
  measured('2857-1', ['Prostate Specific Ag, Serum', 'PSA, Total'], ['ng/mL'], [0, 4], 1, [0.2, 6.5]),
  measured('20448-7', ['Insulin'], ['uIU/mL'], [2.6, 24.9], 1, [2, 33]),
];

export const vitamins = [
  measured('62292-8 1989-3', ['Vitamin D, 25-Hydroxy', 'Vitamin D, 25-OH, Total'], ['ng/mL'], [30, 100], 1, [11, 96], {
    comment: [
      'Vitamin D deficiency has been defined as a level less than 20 ng/mL',
      'and insufficiency as a level between 21 and 29 ng/mL.',
    ],
  }),
  measured('2132-9', ['Vitamin B12', 'Vitamin B-12'], ['pg/mL'], [232, 1245], 0, [150, 1500]),
  measured('2284-8', ['Folate (Folic Acid), Serum', 'Folate, Serum'], ['ng/mL'], [3, null], 1, [2, 19]),
  measured('2276-4', ['Ferritin', 'Ferritin, Serum'], ['ng/mL'], [30, 400], 0, [12, 520]),
  measured('2498-4', ['Iron', 'Iron, Total'], ['ug/dL', 'mcg/dL'], [38, 169], 0, [25, 200], molar('14798-3', 'umol/L', 0.179, 1)),
  measured('2500-7', ['Iron Bind.Cap.(TIBC)', 'Iron Binding Capacity', 'TIBC'], ['ug/dL', 'mcg/dL'], [250, 450], 0, [210, 500]),
  measured('2502-3', ['Iron Saturation', '% Saturation'], ['%'], [15, 55], 0, [8, 62]),
  measured('13965-9', ['Homocysteine', 'Homocyst(e)ine'], ['umol/L'], [0, 14.5], 1, [4, 22]),
  measured('5763-8', ['Zinc, Plasma or Serum', 'Zinc'], ['ug/dL', 'mcg/dL'], [44, 115], 0, [35, 130]),
];

export const glycemia = [
  measured('4548-4', ['Hemoglobin A1c', 'HEMOGLOBIN A1c'], ['%'], [4.8, 5.6], 1, [4.5, 9.2], {
    comment: ['Prediabetes: 5.7 - 6.4', 'Diabetes: >6.4', 'Glycemic control for adults with diabetes: <7.0'],
  }),
];

export const immunology = [
  worded('8061-4 42254-3', ['ANA Direct', 'ANA Screen, IFA'], ['Negative'], ['Positive']),
  measured('11572-5', ['Rheumatoid Factor', 'RA Latex Turbid.'], ['IU/mL'], [null, 14], 1, [3, 40]),
  measured('1988-5', ['C-Reactive Protein, Quant', 'C-Reactive Protein'], ['mg/L'], [0, 10], 1, [0.6, 22]),
  measured('19113-0', ['Immunoglobulin E, Total', 'IgE, Total'], ['IU/mL'], [6, 495], 0, [4, 700]),
];
