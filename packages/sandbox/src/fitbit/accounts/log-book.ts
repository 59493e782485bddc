/** The person's manual changes to the account's logs; they are lost when the process ends. */
export interface LogBook {
  isDeleted(logId: number): boolean;
  delete(logId: number): void;
  /** How often the main sleep of a date was edited; each edit assigns another log id. */
  sleepEdits(date: string): number;
  editSleep(date: string): void;
  /** kcal of the foods of a date. */
  foods(date: string): readonly number[];
  logFood(date: string, kcal: number): void;
  deleteFoods(date: string): void;
}

export function createLogBook(): LogBook {
  const deleted = new Set<number>();
  const edits = new Map<string, number>();
  const foods = new Map<string, number[]>();
  return {
    isDeleted: (logId) => deleted.has(logId),
    delete: (logId) => void deleted.add(logId),
    sleepEdits: (date) => edits.get(date) ?? 0,
    editSleep: (date) => void edits.set(date, (edits.get(date) ?? 0) + 1),
    foods: (date) => foods.get(date) ?? [],
    logFood: (date, kcal) => void foods.set(date, [...(foods.get(date) ?? []), kcal]),
    deleteFoods: (date) => void foods.delete(date),
  };
}
