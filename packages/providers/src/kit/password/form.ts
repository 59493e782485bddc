import type { FormField } from '../types/password.ts';

/** The user name field. */
export function usernameField(label: string, kind: 'text' | 'email' = 'email', hint?: string): FormField {
  return { name: 'username', label, kind, isRequired: true, ...(hint === undefined ? {} : { hint }) };
}

export const passwordField: FormField = { name: 'password', label: 'Password', kind: 'password', isRequired: true };

/** The region field; the provider's default applies when it is empty. */
export function regionField(label: string, choices: NonNullable<FormField['choices']>, hint?: string): FormField {
  return { name: 'region', label, kind: 'choice', choices, isRequired: false, ...(hint === undefined ? {} : { hint }) };
}
