import { AppError } from '@pulsewire/kernel';
import type { ValidationError } from '@pulsewire/contract';
import type { MarkerRow } from '../../catalogue/markers.ts';
import type { Question } from '../../model/catalogue.ts';
import { refused } from '../../model/errors.ts';

export interface Answer {
  readonly markerId: number;
  readonly questionId: number;
  readonly answer: string;
}

/** Whether the patient fasts is part of the lab test. */
const fasting = 'FSTING';

function isChoice({ type }: Question): boolean {
  return type === 'choice' || type === 'multi_choice';
}

function problemOf(question: Question | undefined, { answer }: Answer): string | null {
  if (question === undefined) return 'The ordered markers have no such question';
  if (question.type === 'numeric') return Number.isFinite(Number(answer)) && answer !== '' ? null : 'Must be a number';
  if (!isChoice(question)) return null;
  const given = question.type === 'choice' ? [answer] : answer.split(',').map((part) => part.trim());
  const codes = question.answers.map(({ code }) => code);
  return given.every((one) => codes.includes(one)) ? null : `Must be one of ${codes.join(', ')}`;
}

/**
 * Throws AppError `request_invalid` (422) for answers that do not match their question, `questions_unanswered` for missing required ones.
 */
export function assertAnswers(markers: readonly MarkerRow[], answers: readonly Answer[]): void {
  const questions = markers.flatMap(({ markerId, questions: asked }) => (asked ?? []).map((question) => ({ markerId, question })));
  const errors = answers.flatMap((answer, at): ValidationError[] => {
    const asked = questions.find(({ markerId, question }) => markerId === answer.markerId && question.id === answer.questionId);
    const msg = problemOf(asked?.question, answer);
    return msg === null ? [] : [{ type: 'value_error', loc: ['body', 'aoe_answers', at, 'answer'], msg, input: answer.answer }];
  });
  if (errors.length > 0)
    throw new AppError({ code: 'request_invalid', kind: 'invalid', message: 'Some fields are invalid', details: { errors } });
  const missing = questions.filter(
    ({ markerId, question }) =>
      question.required &&
      question.code !== fasting &&
      !answers.some((answer) => answer.markerId === markerId && answer.questionId === question.id && answer.answer !== ''),
  );
  if (missing.length > 0)
    throw refused('questions_unanswered', `Missing required questions: ${missing.map(({ question }) => `"${question.value}"`).join(', ')}`);
}
