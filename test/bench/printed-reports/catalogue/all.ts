import type { Analyte } from './analyte.ts';
import { bloodCount, coagulation } from './blood.ts';
import { chemistry } from './chemistry.ts';
import { diabetes, hormones, nutrition } from './hormones.ts';
import { lipids } from './lipids.ts';
import { serology, urinalysis, urineAlbumin } from './words.ts';

const everything = [
  ...chemistry,
  ...bloodCount,
  ...coagulation,
  ...lipids,
  ...hormones,
  ...diabetes,
  ...nutrition,
  ...urinalysis,
  ...urineAlbumin,
  ...serology,
];
const byKey = new Map(everything.map((entry) => [entry.key, entry]));

export function find(key: string): Analyte {
  const found = byKey.get(key);
  if (found === undefined) throw new Error(`No analyte ${key} in the catalogue.`);
  return found;
}

const panels = {
  metabolic:
    'glucose bun creatinine egfr bunRatio sodium potassium chloride co2 calcium protein albumin globulin agRatio bilirubin alp ast alt',
  basic: 'glucose bun creatinine egfr sodium potassium chloride co2 calcium',
  renalUk: 'sodium potassium urea creatinine egfr',
  renalIndia: 'urea bun creatinine urate calcium phosphate sodium potassium chloride',
  liver: 'bilirubin alp alt ggt protein albumin globulin',
  liverUk: 'bilirubin alp alt albumin globulin protein',
  liverIndia: 'bilirubin bilirubinDirect bilirubinIndirect ast alt alp ggt protein albumin globulin agRatio',
  bone: 'calcium adjustedCalcium phosphate alp albumin',
  count: 'wbc rbc hemoglobin hematocrit mcv mch mchc rdw platelets',
  countAbsolute: 'wbc rbc hemoglobin hematocrit mcv mch mchc rdw platelets mpv neutrophils lymphocytes monocytes eosinophils basophils',
  differential: 'neutrophilsPercent lymphocytesPercent monocytesPercent eosinophilsPercent basophilsPercent',
  absolutes: 'neutrophils lymphocytes monocytes eosinophils basophils',
  countIndia:
    'hemoglobin rbc hematocrit mcv mch mchc rdw wbc neutrophilsPercent lymphocytesPercent monocytesPercent eosinophilsPercent basophilsPercent platelets',
  lipid: 'cholesterol hdl triglycerides ldlCalc cholRatio nonHdl',
  lipidUk: 'cholesterol hdl nonHdl ldl triglycerides cholRatio',
  lipidIndia: 'cholesterol triglycerides hdl ldl vldl nonHdl cholRatio',
  thyroid: 'tsh ft4 ft3',
  thyroidIndia: 't3 t4 tsh',
  sexHormones: 'testosterone shbg estradiol fsh lh prolactin',
  iron: 'iron tibc ironSaturation ferritin',
  vitamins: 'vitaminD b12 folate',
  diabetes: 'a1c eag',
  urinalysis:
    'urineColor urineClarity specificGravity urinePh urineGlucose urineKetones urineBlood urineProtein urineNitrite urineEsterase urineWbc urineRbc',
  urineAlbumin: 'urineAlbumin urineCreatinine acr',
  infections: 'hiv hbsag hcv rpr',
  coagulation: 'pt inr aptt ddimer',
};

export type Panel = keyof typeof panels;

export function panelOf(name: Panel): Analyte[] {
  return panels[name].split(' ').map(find);
}
