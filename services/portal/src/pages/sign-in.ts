import { h } from 'preact';
import { notice } from './parts.ts';
import type { View } from './view.ts';

/** Why a person sees the page again. */
export interface SignInProblem {
  readonly title: string;
  readonly text: string;
}

export function signInView(root: string, problem: SignInProblem | null): View {
  const title = 'Sign in';
  return {
    title: problem === null ? title : `Error: ${problem.title}`,
    body: [
      h('h1', null, title),
      problem && notice('bad', problem.title, problem.text),
      h(
        'form',
        { method: 'post', action: `${root}/sign-in`, class: 'stack' },
        h(
          'div',
          { class: 'field' },
          h('label', { for: 'f-key' }, 'API key of your team'),
          h('input', {
            id: 'f-key',
            name: 'key',
            type: 'password',
            autocomplete: 'off',
            spellcheck: false,
            required: true,
            maxLength: 512,
            'aria-describedby': 'key-hint',
          }),
          h('p', { id: 'key-hint', class: 'hint' }, 'No key? Ask your administrator for one with the scope read.'),
        ),
        h('button', { type: 'submit', class: 'button' }, 'Sign in'),
      ),
      h(
        'p',
        { class: 'soft small' },
        'You see what the key may see. It stays in an encrypted cookie, and you are signed out after 30 minutes without a page.',
      ),
    ],
  };
}
