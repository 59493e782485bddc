import { measured, worded } from './analyte.ts';

const thousands = ['x10E3/uL', '10*3/uL', 'K/uL', 'Thousand/uL'];
const millions = ['x10E6/uL', '10*6/uL', 'M/uL', 'Million/uL'];

export const bloodCount = [
  measured('6690-2', ['WBC', 'White Blood Cell Count'], thousands, [3.4, 10.8], 1, [2.8, 14]),
  measured('789-8', ['RBC', 'Red Blood Cell Count'], millions, [4.14, 5.8], 2, [3.7, 6.2]),
  measured('718-7', ['Hemoglobin', 'HGB'], ['g/dL'], [13, 17.7], 1, [10.5, 18.4]),
  measured('4544-3', ['Hematocrit', 'HCT'], ['%'], [37.5, 51], 1, [32, 54]),
  measured('787-2', ['MCV'], ['fL'], [79, 97], 0, [72, 103]),
  measured('785-6', ['MCH'], ['pg'], [26.6, 33], 1, [24, 35]),
  measured('786-4', ['MCHC'], ['g/dL'], [31.5, 35.7], 1, [30, 37]),
  measured('788-0', ['RDW'], ['%'], [11.6, 15.4], 1, [11, 17]),
  measured('777-3', ['Platelets', 'Platelet Count'], thousands, [150, 450], 0, [120, 480]),
  measured('32623-1', ['MPV'], ['fL'], [7.5, 12.5], 1, [7, 13]),
];

export const differential = [
  measured('770-8', ['Neutrophils', 'Neutrophils %'], ['%'], [40, 74], 0, [34, 80]),
  measured('736-9', ['Lymphs', 'Lymphocytes', 'Lymphocytes %'], ['%'], [14, 46], 0, [11, 52]),
  measured('5905-5', ['Monocytes', 'Monocytes %'], ['%'], [4, 12], 0, [3, 14]),
  measured('713-8', ['Eos', 'Eosinophils', 'Eosinophils %'], ['%'], [0, 5], 0, [1, 8]),
  measured('706-2', ['Basos', 'Basophils', 'Basophils %'], ['%'], [0, 2], 0, [0, 3]),
  measured('751-8', ['Neutrophils (Absolute)', 'Absolute Neutrophils', 'Neutrophils, Absolute'], thousands, [1.4, 7], 1, [1, 8.5]),
  measured('731-0', ['Lymphs (Absolute)', 'Absolute Lymphocytes', 'Lymphocytes, Absolute'], thousands, [0.7, 3.1], 1, [0.5, 4]),
  measured('742-7', ['Monocytes(Absolute)', 'Absolute Monocytes', 'Monocytes, Absolute'], thousands, [0.1, 0.9], 1, [0.2, 1.3]),
  measured('711-2', ['Eos (Absolute)', 'Absolute Eosinophils', 'Eosinophils, Absolute'], thousands, [0, 0.4], 1, [0.1, 0.8]),
  measured('704-7', ['Baso (Absolute)', 'Absolute Basophils', 'Basophils, Absolute'], thousands, [0, 0.2], 1, [0, 0.3]),
];

export const coagulation = [
  measured('5902-2', ['Prothrombin Time', 'PT'], ['sec', 'seconds'], [9.1, 12], 1, [8.8, 16]),
  measured('6301-6', ['INR'], [], [0.9, 1.2], 1, [0.8, 2.6]),
  measured('14979-9 3173-2', ['aPTT', 'PTT, Activated'], ['sec', 'seconds'], [24, 33], 0, [22, 42]),
  measured('3255-7', ['Fibrinogen', 'Fibrinogen Activity'], ['mg/dL'], [193, 507], 0, [160, 560]),
  measured('4537-7 30341-2', ['Sedimentation Rate-Westergren', 'Sed Rate by Modified Westergren'], ['mm/hr', 'mm/h'], [0, 30], 0, [2, 60]),
];

const negative = ['Negative', 'NEGATIVE'];

export const infections = [
  worded('56888-1 75622-1', ['HIV Ab/p24 Ag Screen', 'HIV Ag/Ab, 4th Generation'], ['Non Reactive', 'Non-Reactive'], ['Reactive']),
  worded('13955-0 16128-1', ['Hep C Virus Ab', 'Hepatitis C Antibody'], ['Non Reactive', 'Non-Reactive'], ['Reactive']),
  worded('20507-0', ['RPR'], ['Non Reactive', 'Non-Reactive'], ['Reactive']),
  worded('5196-1 5195-3', ['HBsAg Screen', 'Hepatitis B Surface Antigen'], [...negative, 'Non-Reactive'], ['Positive']),
  worded(
    '43304-5',
    ['Chlamydia trachomatis, NAA', 'Chlamydia trachomatis RNA, TMA'],
    ['Not Detected', ...negative],
    ['Detected', 'Positive'],
  ),
  worded(
    '43305-2',
    ['Neisseria gonorrhoeae, NAA', 'Neisseria gonorrhoeae RNA, TMA'],
    ['Not Detected', ...negative],
    ['Detected', 'Positive'],
  ),
];
