import type { Question } from '../../model/catalogue.ts';

type SeedQuestion = Omit<Question, 'id' | 'sequence' | 'answers'> & {
  readonly answers: readonly (readonly [code: string, value: string])[];
};

const fasting: SeedQuestion = {
  required: true,
  code: 'FSTING',
  value: 'Was the patient fasting?',
  type: 'choice',
  answers: [
    ['Y', 'Yes'],
    ['N', 'No'],
  ],
};
const source: SeedQuestion = {
  required: true,
  code: 'SOURCE',
  value: 'Where was the specimen taken?',
  type: 'choice',
  answers: [
    ['CLEAN', 'Clean catch'],
    ['CATH', 'Catheter'],
    ['OTHER', 'Other'],
  ],
};
const lastDose: SeedQuestion = { required: true, code: 'LDOSE', value: 'When was the last dose taken?', type: 'text', answers: [] };
const bloodType: SeedQuestion = {
  required: true,
  code: 'LEADTYPE',
  value: 'How was the blood drawn?',
  type: 'choice',
  answers: [
    ['V', 'Venous'],
    ['F', 'Fingerstick'],
  ],
};
const weeks: SeedQuestion = { required: false, code: 'GESTWK', value: 'Weeks of gestation', type: 'numeric', answers: [] };

/** Questions by the number of an analyte or panel. */
const byNumber: ReadonlyMap<number, readonly SeedQuestion[]> = new Map([
  [1038, [fasting]],
  [5006, [fasting]],
  [1321, [bloodType]],
  [1823, [source]],
  [2014, [lastDose]],
  [1437, [weeks]],
]);

/** A lab's questions about a marker; null when it has none. */
export function questionsOf(number: number, markerId: number): readonly Question[] | null {
  const questions = byNumber.get(number);
  if (questions === undefined) return null;
  return questions.map((question, i) => {
    const id = markerId * 100 + i + 1;
    return {
      ...question,
      id,
      sequence: i + 1,
      answers: question.answers.map(([code, value], at) => ({ id: id * 100 + at + 1, code, value })),
    };
  });
}
