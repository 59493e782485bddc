import { analyte, q } from './analyte.ts';

const urine = { specimen: 'Urine' };
const strip = (key: string, names: string, loinc: string, expected: string, abnormal: string) =>
  analyte(key, names, {
    words: { expected: [expected], abnormal: abnormal.split('|'), range: expected, loinc: loinc === '' ? null : loinc },
    ...urine,
  });

/** The names are those that a report prints under a title that names urine, and reads on its own as urine only there. */
export const urinalysis = [
  analyte('urineColor', 'Color|Colour|Colour', {
    words: { expected: ['Yellow', 'Pale Yellow'], abnormal: ['Dark Yellow', 'Amber'], range: 'Yellow', loinc: '5778-6' },
    ...urine,
  }),
  analyte('urineClarity', 'Appearance|Appearance|Transparency', {
    words: { expected: ['Clear'], abnormal: ['Cloudy', 'Turbid'], range: 'Clear', loinc: '5767-9' },
    ...urine,
  }),
  analyte('specificGravity', 'Specific Gravity', { conventional: q('', '2965-2 5811-5', '1.005-1.030', 3), ...urine }),
  analyte('urinePh', 'pH|pH|pH (Reaction)', { conventional: q('', '2756-5 5803-2', '5.0-8.0', 1), ...urine }),
  strip('urineGlucose', 'Glucose|Glucose|Urine Glucose', '2349-9 25428-4', 'Negative', 'Trace|1+|2+'),
  strip('urineKetones', 'Ketones|Ketones|Ketone', '33903-6 2514-8', 'Negative', 'Trace|1+|2+'),
  strip('urineBlood', 'Occult Blood|Blood|Blood', ' 725-2 5794-3 57751-0 33051-4', 'Negative', 'Trace|2+|3+'),
  strip('urineProtein', 'Protein|Protein|Protein', '2887-8 20454-5', 'Negative', 'Trace|1+|2+'),
  strip('urineNitrite', 'Nitrite|Nitrite|Nitrite', '32710-6 5802-4', 'Negative', 'Positive'),
  strip('urineEsterase', 'Leukocyte Esterase|Leucocyte esterase|Leukocyte Esterase', ' 5799-2 60026-2', 'Negative', 'Trace|1+|3+'),
  analyte('urineWbc', 'WBC|White cells|Pus Cells', {
    words: { expected: ['0-5', 'None seen', '2-3'], abnormal: ['10-20', '6-10'], range: '0-5', loinc: ' 5821-4 46702-7 20455-2' },
    ...urine,
  }),
  analyte('urineRbc', 'RBC|Red cells|RBCs', {
    words: { expected: ['0-2', 'None seen'], abnormal: ['3-10', '20-40'], range: '0-2', loinc: ' 13945-1 46419-8 20409-9' },
    ...urine,
  }),
];

export const urineAlbumin = [
  analyte('urineAlbumin', 'Albumin, Urine|Urine albumin|Microalbumin, Urine', {
    conventional: q('mg/dL', '1754-1', '<2.0', 1),
    si: q('mg/L', '14957-5 1754-1', '<20', 1, 10),
    ...urine,
  }),
  analyte('urineCreatinine', 'Creatinine, Random Urine|Urine creatinine|Creatinine, Urine', {
    conventional: q('mg/dL', '2161-8', '20-320', 0),
    si: q('mmol/L', '14683-7', '2.0-28.0', 1, 0.0884),
    ...urine,
  }),
  analyte('acr', 'Albumin/Creatinine Ratio, Random Urine|Urine albumin:creatinine ratio|Albumin / Creatinine Ratio', {
    conventional: q('mg/g creat', '9318-7 14959-1', '<30', 0),
    si: q('mg/mmol', '32294-1 9318-7 30000-4', '<3.0', 1, 0.113),
    reportable: { low: '5' },
    ...urine,
  }),
];

const finding = (key: string, names: string, loinc: string, expected: string, abnormal: string, specimen = 'Serum') =>
  analyte(key, names, {
    words: { expected: [expected], abnormal: abnormal.split('|'), range: expected, loinc: loinc === '' ? null : loinc },
    specimen,
  });

export const serology = [
  finding('hiv', 'HIV Ag/Ab, 4th Gen|HIV 1/2 Ag/Ab|HIV I & II Antibody/Antigen', '56888-1 58900-2 80387-4', 'Non-Reactive', 'Reactive'),
  finding('hbsag', 'Hepatitis B Surface Antigen|Hepatitis B surface antigen|HBsAg', '5195-3 5196-1', 'Non-Reactive', 'Reactive'),
  finding('hcv', 'Hepatitis C Antibody|Hepatitis C antibody|Anti HCV', '16128-1 13955-0', 'Non-Reactive', 'Reactive'),
  finding(
    'rpr',
    'RPR (Monitor) w/Refl Titer|Syphilis (RPR)|VDRL / RPR',
    '20507-0 31147-2 22461-8 5292-8',
    'Non-Reactive',
    'Reactive 1:4|Reactive 1:16',
  ),
  finding(
    'ana',
    'ANA Screen, IFA|Antinuclear antibody|ANA by IFA',
    '8061-4 42254-3 5048-4',
    'Negative',
    'Positive 1:80|Positive 1:160|Positive 1:320',
  ),
  finding(
    'chlamydia',
    'Chlamydia trachomatis, NAA|Chlamydia trachomatis NAAT|Chlamydia trachomatis, PCR',
    '43304-5 21613-5 42931-6',
    'Not Detected',
    'Detected',
    'Urine',
  ),
  finding(
    'gonorrhea',
    'Neisseria gonorrhoeae, NAA|Neisseria gonorrhoeae NAAT|Neisseria gonorrhoeae, PCR',
    '43305-2 24111-7 21416-3',
    'Not Detected',
    'Detected',
    'Urine',
  ),
  finding('rf', 'Rheumatoid Factor|Rheumatoid factor|RA Factor', '', 'Negative', 'Positive 1:40'),
  finding('malaria', 'Malaria Smear|Malaria film|Malarial Parasite', '', 'Not Detected', 'Detected', 'Whole blood'),
  finding('dengue', 'Dengue NS1 Antigen|Dengue NS1 antigen|Dengue NS1 Antigen', '', 'Negative', 'Positive'),
];
