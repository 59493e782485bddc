import type { Analyte } from './analyte.ts';
import { lipids, liver, metabolic } from './chemistry.ts';
import { glycemia, hormones, immunology, thyroid, vitamins } from './endocrine.ts';
import { bloodCount, coagulation, differential, infections } from './hematology.ts';
import { urinalysis, urineChemistry } from './urine.ts';

/** Tests that are ordered and printed together. */
export interface PanelFacts {
  readonly titles: readonly string[];
  readonly specimen: 'Serum' | 'Whole blood' | 'Urine' | 'Plasma';
  readonly analytes: readonly Analyte[];
}

export const panels = {
  metabolic: {
    titles: ['Comp. Metabolic Panel (14)', 'Comprehensive Metabolic Panel'],
    specimen: 'Serum',
    analytes: metabolic,
  },
  lipids: { titles: ['Lipid Panel', 'Lipid Panel, Standard'], specimen: 'Serum', analytes: lipids },
  bloodCount: { titles: ['CBC, No Differential/Platelet', 'Complete Blood Count'], specimen: 'Whole blood', analytes: bloodCount },
  differential: {
    titles: ['CBC With Differential/Platelet', 'CBC (includes Diff/Plt)'],
    specimen: 'Whole blood',
    analytes: [...bloodCount.slice(0, 9), ...differential],
  },
  coagulation: { titles: ['Coagulation Studies', 'Prothrombin Time (PT) and PTT'], specimen: 'Plasma', analytes: coagulation },
  infections: { titles: ['STI Screening', 'Infectious Disease Serology'], specimen: 'Serum', analytes: infections },
  thyroid: { titles: ['Thyroid Panel', 'Thyroid Function Tests'], specimen: 'Serum', analytes: thyroid },
  hormones: { titles: ['Hormone Panel', 'Endocrinology'], specimen: 'Serum', analytes: hormones },
  vitamins: { titles: ['Iron and Vitamin Status', 'Nutritional Assessment'], specimen: 'Serum', analytes: vitamins },
  glycemia: { titles: ['Hemoglobin A1c', 'Glycohemoglobin'], specimen: 'Whole blood', analytes: glycemia },
  immunology: { titles: ['Immunology', 'Rheumatology Panel'], specimen: 'Serum', analytes: immunology },
  liver: { titles: ['Additional Chemistry', 'General Chemistry'], specimen: 'Serum', analytes: liver },
  urinalysis: { titles: ['Urinalysis, Routine', 'Urinalysis, Macroscopic'], specimen: 'Urine', analytes: urinalysis },
  urineChemistry: { titles: ['Microalb/Creat Ratio, Randm Ur', 'Urine Albumin'], specimen: 'Urine', analytes: urineChemistry },
} as const satisfies Record<string, PanelFacts>;

export type PanelName = keyof typeof panels;
