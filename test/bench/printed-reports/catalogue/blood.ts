import { analyte, q } from './analyte.ts';

const blood = 'Whole blood';
const percentOf = (key: string, names: string, loinc: string, range: string) =>
  analyte(`${key}Percent`, names, { conventional: q('%', loinc, range, 0), specimen: blood, method: 'Flow Cytometry' });
const absolute = (key: string, names: string, loinc: string, range: string, perCubicMillimetre: string, decimals = 1) =>
  analyte(key, names, {
    conventional: q('10*3/uL', loinc, range, decimals),
    si: q('10*9/L', loinc, range, decimals),
    india: q('/cumm', loinc, perCubicMillimetre, 0, 1000),
    specimen: blood,
    method: 'Calculated',
  });

export const bloodCount = [
  analyte(
    'wbc',
    'WBC~White Blood Cell Count~White Blood Cells|White cell count~WBC~Total white cell count|Total Leucocyte Count (TLC)~WBC Count',
    {
      conventional: q('10*3/uL', '6690-2', '3.8-10.8', 1),
      si: q('10*9/L', '6690-2', '4.0-11.0', 1),
      india: q('/cumm', '6690-2', '4000-10000', 0, 1000),
      specimen: blood,
      method: 'Flow Cytometry',
    },
  ),
  analyte('rbc', 'RBC~Red Blood Cell Count~Red Blood Cells|Red cell count~RBC~Red blood cell count|Total RBC Count~RBC Count', {
    conventional: q('10*6/uL', '789-8', 'M 4.20-5.80|F 3.80-5.10', 2),
    si: q('10*12/L', '789-8', 'M 4.50-5.50|F 3.80-4.80', 2),
    specimen: blood,
    method: 'Electrical Impedance',
  }),
  analyte('hemoglobin', 'Hemoglobin~HGB|Haemoglobin~Hb~Haemoglobin estimation|Haemoglobin (Hb)~Hemoglobin', {
    conventional: q('g/dL', '718-7', 'M 13.2-17.1|F 11.7-15.5', 1),
    si: q('g/L', '718-7', 'M 130-170|F 120-150', 0, 10),
    specimen: blood,
    method: 'SLS-Hb',
  }),
  analyte('hematocrit', 'Hematocrit~HCT|Haematocrit~HCT~Haematocrit|PCV (Packed Cell Volume)~Hematocrit (PCV)', {
    conventional: q('%', '4544-3 20570-8', 'M 38.5-50.0|F 35.0-45.0', 1),
    si: q('L/L', '4544-3 20570-8', 'M 0.400-0.500|F 0.360-0.460', 3, 0.01),
    specimen: blood,
    method: 'Calculated',
  }),
  analyte('mcv', 'MCV|MCV~MCV~Mean cell volume|MCV', {
    conventional: q('fL', '787-2', '80.0-100.0', 1),
    si: q('fL', '787-2', '80.0-100.0', 1),
    specimen: blood,
    method: 'Calculated',
  }),
  analyte('mch', 'MCH|MCH~MCH~Mean cell haemoglobin|MCH', {
    conventional: q('pg', '785-6', '27.0-33.0', 1),
    si: q('pg', '785-6', '27.0-32.0', 1),
    specimen: blood,
    method: 'Calculated',
  }),
  analyte('mchc', 'MCHC', {
    conventional: q('g/dL', '786-4', '32.0-36.0', 1),
    si: q('g/L', '786-4', '315-345', 0, 10),
    specimen: blood,
    method: 'Calculated',
  }),
  analyte('rdw', 'RDW|RDW~RDW~Red cell distribution width|RDW-CV', {
    conventional: q('%', '788-0', '11.0-15.0', 1),
    si: q('%', '788-0', '11.5-14.5', 1),
    specimen: blood,
    method: 'Calculated',
  }),
  analyte('platelets', 'Platelet Count~PLT~Platelets|Platelet count~Platelets~Platelets|Platelet Count', {
    conventional: q('10*3/uL', '777-3', '140-400', 0),
    si: q('10*9/L', '777-3', '150-410', 0),
    india: q('lakhs/cumm', '777-3', '1.50-4.10', 2, 0.01),
    specimen: blood,
    method: 'Electrical Impedance',
  }),
  analyte('mpv', 'MPV|MPV|Mean Platelet Volume (MPV)', {
    conventional: q('fL', '32623-1 28542-9', '7.5-12.5', 1),
    si: q('fL', '32623-1 28542-9', '7.5-12.0', 1),
    specimen: blood,
  }),
  absolute(
    'neutrophils',
    'Absolute Neutrophils~Neutrophils (Absolute)|Neutrophils~Neutrophil count~Neutrophils|Absolute Neutrophil Count',
    '751-8',
    '1.8-7.5',
    '2000-7000',
  ),
  absolute(
    'lymphocytes',
    'Absolute Lymphocytes~Lymphs (Absolute)|Lymphocytes~Lymphocyte count~Lymphocytes|Absolute Lymphocyte Count',
    '731-0',
    '1.0-3.9',
    '1000-3000',
  ),
  absolute(
    'monocytes',
    'Absolute Monocytes~Monocytes(Absolute)|Monocytes~Monocyte count~Monocytes|Absolute Monocyte Count',
    '742-7',
    '0.2-1.0',
    '200-1000',
  ),
  absolute(
    'eosinophils',
    'Absolute Eosinophils~Eos (Absolute)|Eosinophils~Eosinophil count~Eosinophils|Absolute Eosinophil Count',
    '711-2',
    '0.02-0.50',
    '20-500',
    2,
  ),
  absolute(
    'basophils',
    'Absolute Basophils~Baso (Absolute)|Basophils~Basophil count~Basophils|Absolute Basophil Count',
    '704-7',
    '0.00-0.20',
    '0-100',
    2,
  ),
  percentOf('neutrophils', 'Neutrophils|Neutrophils %|Neutrophils~Segmented Neutrophils', '770-8', '40-75'),
  percentOf('lymphocytes', 'Lymphocytes~Lymphs|Lymphocytes %|Lymphocytes', '736-9', '20-45'),
  percentOf('monocytes', 'Monocytes|Monocytes %|Monocytes', '5905-5', '2-10'),
  percentOf('eosinophils', 'Eosinophils~Eos|Eosinophils %|Eosinophils', '713-8', '1-6'),
  percentOf('basophils', 'Basophils~Basos|Basophils %|Basophils', '706-2', '0-2'),
  analyte('esr', 'Sed Rate by Modified Westergren|ESR|ESR (Westergren)', {
    conventional: q('mm/h', '4537-7', 'M 0-15|F 0-20', 0),
    si: q('mm/hr', '30341-2 4537-7', 'M 1-10|F 1-20', 0),
    india: q('mm/1st hr', '4537-7', 'M 0-15|F 0-20', 0),
    specimen: blood,
    method: 'Westergren',
  }),
];

const plasma = { specimen: 'Citrated plasma' };
export const coagulation = [
  analyte('pt', 'Prothrombin Time|Prothrombin time|Prothrombin Time (PT)', {
    conventional: q('sec', '5902-2', '9.0-11.5', 1),
    si: q('seconds', '5902-2', '10.0-13.0', 1),
    ...plasma,
  }),
  analyte('inr', 'INR', { conventional: q('', '6301-6', '0.9-1.1', 1), si: q('', '6301-6', '0.9-1.1', 1), ...plasma }),
  analyte('aptt', 'aPTT|APTT|APTT', {
    conventional: q('sec', '14979-9 3173-2', '23-32', 0),
    si: q('seconds', '14979-9 3173-2', '25-36', 0),
    ...plasma,
  }),
  analyte('ddimer', 'D-Dimer, Quantitative|D-dimer|D-Dimer', {
    conventional: q('ng/mL FEU', '48065-7', '<500', 0),
    si: q('ng/mL FEU', '48065-7', '<500', 0),
    reportable: { low: '215' },
    ...plasma,
  }),
];
