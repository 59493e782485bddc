import type { FormField } from '../types/password.ts';

/** Field for the user's name at the provider. */
export function usernameField(label: string, kind: 'text' | 'email' = 'email', hint?: string): FormField {
  return { name: 'username', label, kind, isRequired: true, ...(hint === undefined ? {} : { hint }) };
}

export const passwordField: FormField = { name: 'password', label: 'Password', kind: 'password', isRequired: true };

/** Field for the region; left empty, the provider's default is taken. */
export function regionField(label: string, choices: NonNullable<FormField['choices']>, hint?: string): FormField {
  return { name: 'region', label, kind: 'choice', choices, isRequired: false, ...(hint === undefined ? {} : { hint }) };
}
