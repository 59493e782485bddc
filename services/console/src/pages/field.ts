import { h } from 'preact';
import type { FormField } from '@pulsewire/providers';

/** Above what any provider takes; more is nobody's name or password. */
export const fieldLengthMax = 512;

const autocompleteOf: Readonly<Record<FormField['name'], string>> = {
  username: 'username',
  password: 'current-password',
  email: 'email',
  region: 'off',
};

export interface FieldState {
  readonly value: string;
  /** What is wrong with it, in words. */
  readonly problem: string | null;
  /** The first thing on the page to be filled in. */
  readonly isFirst: boolean;
}

function choices(field: FormField, value: string) {
  return [
    h('option', { value: '', selected: value === '' }, field.isRequired ? 'Please choose' : 'Not sure'),
    ...(field.choices ?? []).map((choice) => h('option', { value: choice.value, selected: choice.value === value }, choice.label)),
  ];
}

/** One field that a provider has declared, with its label, its hint and what is wrong with it. */
export function fieldRow(field: FormField, { value, problem, isFirst }: FieldState) {
  const id = `field-${field.name}`;
  const described = [field.hint === undefined ? null : `${id}-hint`, problem === null ? null : `${id}-problem`].filter(Boolean).join(' ');
  const common = {
    id,
    name: field.name,
    required: field.isRequired,
    autocomplete: autocompleteOf[field.name],
    ...(described !== '' && { 'aria-describedby': described }),
    ...(problem !== null && { 'aria-invalid': 'true' as const }),
    ...(isFirst && { autofocus: true }),
  };
  const text = { ...common, maxLength: fieldLengthMax, autocapitalize: 'off', spellcheck: false };
  const control =
    field.kind === 'choice'
      ? h('select', common, ...choices(field, value))
      : // What was typed as a password never comes back in a page.
        h('input', { ...text, type: field.kind, ...(field.kind !== 'password' && { value }) });
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, field.label, field.isRequired ? null : h('span', { class: 'soft' }, ' (optional)')),
    field.hint === undefined ? null : h('p', { id: `${id}-hint`, class: 'hint soft' }, field.hint),
    problem === null ? null : h('p', { id: `${id}-problem`, class: 'problem' }, problem),
    control,
  );
}
