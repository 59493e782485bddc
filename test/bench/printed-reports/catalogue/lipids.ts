import { analyte, q } from './analyte.ts';

export const lipids = [
  analyte(
    'cholesterol',
    'Cholesterol, Total~Total Cholesterol|Total cholesterol~Cholesterol~Serum cholesterol|Cholesterol Total~Total Cholesterol',
    {
      conventional: q('mg/dL', '2093-3', '<200', 0),
      si: q('mmol/L', '14647-2', '<5.0', 1, 0.02586),
      method: 'CHOD-PAP',
    },
  ),
  analyte('hdl', 'HDL Cholesterol~HDL-C|HDL cholesterol~HDL~Serum HDL cholesterol|HDL Cholesterol', {
    conventional: q('mg/dL', '2085-9', 'M >=40|F >=50', 0),
    si: q('mmol/L', '14646-4', '>1.0', 1, 0.02586),
    method: 'Direct, Immunoinhibition',
  }),
  analyte('triglycerides', 'Triglycerides|Triglycerides~Triglyceride~Serum triglycerides|Triglycerides', {
    conventional: q('mg/dL', '2571-8', '<150', 0),
    si: q('mmol/L', '14927-8', '<1.7', 1, 0.01129),
    method: 'GPO',
  }),
  analyte('ldl', 'LDL Cholesterol|LDL cholesterol~LDL|LDL Cholesterol', {
    conventional: q('mg/dL', '2089-1', '<100', 0),
    si: q('mmol/L', '22748-8', '<3.0', 1, 0.02586),
  }),
  analyte('ldlCalc', 'LDL Chol Calc (NIH)~LDL Cholesterol, Calculated|Calculated LDL cholesterol|LDL Cholesterol (Calculated)', {
    conventional: q('mg/dL', '13457-7', '0-99', 0),
    si: q('mmol/L', '39469-2', '<3.0', 1, 0.02586),
    method: 'Calculated',
  }),
  analyte('ldlDirect', 'LDL Cholesterol, Direct|Direct LDL cholesterol|LDL Cholesterol, Direct', {
    conventional: q('mg/dL', '18262-6', '<100', 0),
    si: q('mmol/L', '69419-0', '<3.0', 1, 0.02586),
    method: 'Homogeneous enzymatic',
  }),
  analyte('vldl', 'VLDL Cholesterol Cal|VLDL cholesterol (calculated)|VLDL Cholesterol (Calculated)', {
    conventional: q('mg/dL', '13458-5', '5-40', 0),
    method: 'Calculated',
  }),
  analyte('nonHdl', 'Non-HDL Cholesterol~Non HDL Cholesterol|Non-HDL cholesterol~Non HDL cholesterol|Non-HDL Cholesterol', {
    conventional: q('mg/dL', '43396-1', '<130', 0),
    si: q('mmol/L', '70204-3', '<4.0', 1, 0.02586),
    method: 'Calculated',
  }),
  analyte('cholRatio', 'Chol/HDLC Ratio~T. Chol/HDL Ratio|Total cholesterol:HDL ratio~Chol/HDL ratio|Total Cholesterol / HDL Ratio', {
    conventional: q('', '9830-1', '<5.0', 1),
    si: q('', '32309-7 9830-1', '<5.0', 1),
    method: 'Calculated',
  }),
  analyte('apob', 'Apolipoprotein B|Apolipoprotein B|Apolipoprotein B', {
    conventional: q('mg/dL', '1884-6', '<90', 0),
    si: q('g/L', '1884-6', '<1.00', 2, 0.01),
    method: 'Immunoturbidimetry',
  }),
  analyte('apoa1', 'Apolipoprotein A1~Apolipoprotein A-1|Apolipoprotein A1|Apolipoprotein A1', {
    conventional: q('mg/dL', '1869-7', '>=115', 0),
    si: q('g/L', '1869-7', '1.10-2.05', 2, 0.01),
  }),
  analyte('lpa', 'Lipoprotein (a)|Lipoprotein(a)|Lipoprotein (a)', {
    conventional: q('nmol/L', '43583-4', '<75', 0),
    si: q('nmol/L', '43583-4', '<90', 0),
    india: q('mg/dL', '10835-7', '<30', 1, 0.42),
    reportable: { low: '10' },
  }),
  analyte('ldlp', 'LDL-P~LDL Particle Number', { conventional: q('nmol/L', '54434-6', '<1000', 0) }),
  analyte('smallLdlp', 'Small LDL-P', { conventional: q('nmol/L', '43727-7', '<=527', 0) }),
  analyte('hdlp', 'HDL-P (Total)', { conventional: q('umol/L', '49748-7', '>=30.5', 1) }),
  analyte('homocysteine', 'Homocysteine|Homocysteine|Homocysteine', {
    conventional: q('umol/L', '13965-9', '<11.4', 1),
    si: q('umol/L', '13965-9', '<15', 0),
    method: 'CLIA',
  }),
];
