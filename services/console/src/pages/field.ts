import { h } from 'preact';
import type { FormField } from '@pulsewire/providers';

/** More than any provider accepts. */
export const fieldLengthMax = 512;

const autocompleteOf: Readonly<Record<FormField['name'], string>> = {
  username: 'username',
  password: 'current-password',
  email: 'email',
  region: 'off',
};

export interface FieldState {
  readonly value: string;
  /** Error message of the field. */
  readonly problem: string | null;
  /** The first field of the page. */
  readonly isFirst: boolean;
}

function choices(field: FormField, value: string) {
  return [
    h('option', { value: '', selected: value === '' }, field.isRequired ? 'Please choose' : 'Not sure'),
    ...(field.choices ?? []).map((choice) => h('option', { value: choice.value, selected: choice.value === value }, choice.label)),
  ];
}

/** One field declared by a provider, with its label, hint and error. */
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
      : // A typed password is never sent back.
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
