import type { FormField } from '@pulsewire/providers';
import { fieldLengthMax } from '../pages/field.ts';

export interface ReadFields {
  readonly values: Readonly<Record<string, string>>;
  /** Error messages by name of the field; empty when all are valid. */
  readonly problems: Readonly<Record<string, string>>;
}

function problemOf(field: FormField, value: string): string | null {
  if (value === '') return field.isRequired ? `Please fill in: ${field.label}.` : null;
  if (value.length > fieldLengthMax) return 'This is too long.';
  if (field.kind === 'choice' && !(field.choices ?? []).some((choice) => choice.value === value)) return 'Please choose from the list.';
  if (field.kind === 'email' && !/^[^@\s]+@[^@\s]+$/.test(value)) return 'An e-mail address looks like name@example.com.';
  return null;
}

/** The values of the fields that a provider declares, and all of their errors. */
export function readFields(form: readonly FormField[], value: (name: string) => string | undefined): ReadFields {
  const values: Record<string, string> = {};
  const problems: Record<string, string> = {};
  for (const field of form) {
    const typed = value(field.name) ?? '';
    // Only passwords may start or end with blanks.
    const read = field.kind === 'password' ? typed : typed.trim();
    const problem = problemOf(field, read);
    values[field.name] = read;
    if (problem !== null) problems[field.name] = problem;
  }
  return { values, problems };
}
