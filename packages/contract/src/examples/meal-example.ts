import type { Summary } from '../records/records.ts';

/** A dinner with one dish. */
export const mealData: Summary['data'] = {
  timestamp: '2026-01-04T18:30:00+00:00',
  name: 'Dinner',
  energy: { unit: 'kcal', value: 620 },
  macros: { carbs: 70, protein: 32, fats: { saturated: 6, total: 21 }, fibre: 9, sugar: 12 },
  micros: { minerals: { sodium: 640 }, vitamins: { vitamin_c: 30 } },
  data: { 'Lentil stew': { energy: { unit: 'kcal', value: 620 } } },
};
