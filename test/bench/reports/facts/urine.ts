import { measured, worded } from './analyte.ts';

export const urinalysis = [
  worded('5778-6', ['Urine-Color', 'Color'], ['Yellow'], ['Amber', 'Brown']),
  worded('5767-9 32167-9', ['Appearance', 'Clarity'], ['Clear'], ['Cloudy', 'Turbid']),
  measured('5811-5 2965-2 53326-5', ['Specific Gravity'], [], [1.005, 1.03], 3, [1.003, 1.034]),
  measured('5803-2 2756-5', ['pH', 'pH, Urine'], [], [5, 7.5], 1, [4.8, 8.4]),
  worded('20454-5 2887-8 5804-0', ['Protein'], ['Negative'], ['Trace', '1+', '2+']),
  worded('25428-4 2349-9 5792-7 50555-2', ['Glucose'], ['Negative'], ['Trace', '1+', '3+']),
  worded('2514-8 5797-6 33903-6 57734-6', ['Ketones'], ['Negative'], ['Trace', '1+']),
  worded('5794-3 57751-0 725-2', ['Occult Blood', 'Blood'], ['Negative'], ['1+', '2+']),
  worded('5770-3 1977-8 50551-1', ['Bilirubin'], ['Negative'], ['1+']),
  worded('5802-4 2657-5 50558-6', ['Nitrite, Urine', 'Nitrite'], ['Negative'], ['Positive']),
  worded('5799-2 27297-1 60026-2', ['WBC Esterase', 'Leukocyte Esterase'], ['Negative'], ['Trace', '2+']),
];

export const urineChemistry = [
  measured('2161-8', ['Creatinine, Urine', 'Creatinine, Random Urine'], ['mg/dL'], [20, 320], 0, [15, 360]),
  measured('14957-5 1754-1', ['Albumin, Urine', 'Microalbumin, Urine'], ['mg/L', 'ug/mL'], [null, 17], 1, [3, 60]),
  measured('9318-7 14959-1', ['Alb/Creat Ratio', 'Albumin/Creatinine Ratio, Random Urine'], ['mg/g creat', 'mg/g'], [0, 29], 0, [3, 90]),
];
