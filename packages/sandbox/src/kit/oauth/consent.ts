import type { SimAccount } from '../accounts/accounts.ts';
import type { AccountPerson } from '../person/person.ts';

export interface ConsentForm {
  readonly provider: string;
  readonly note: string;
  readonly clientId: string;
  readonly action: string;
  readonly scopes: readonly string[];
  /** The request's parameters, which the form sends again. */
  readonly parameters: URLSearchParams;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title>
<style>body{font:16px/1.5 system-ui;max-width:34rem;margin:3rem auto;padding:0 1rem}label{display:block}fieldset{margin:1rem 0}button{font:inherit;padding:.4rem 1.2rem}</style>
<h1>${escape(title)}</h1>${content}</html>`;
}

/** The page on which a person chooses an account, ticks scopes and allows or denies. Plain HTML without scripts or external resources. */
export function consentPage(form: ConsentForm, accounts: readonly SimAccount<AccountPerson>[]): string {
  const hidden = [...form.parameters].map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`);
  const people = accounts.map(
    ({ name, person }, place) =>
      `<label><input type="radio" name="account" value="${escape(name)}"${place === 0 ? ' checked' : ''}> ${escape(name)} <small>${escape(person.zone.name)}</small></label>`,
  );
  const boxes = form.scopes.map(
    (scope) => `<label><input type="checkbox" name="granted" value="${escape(scope)}" checked> ${escape(scope)}</label>`,
  );
  return page(
    'Share your data?',
    `<p><b>${escape(form.clientId)}</b> asks for access to ${escape(form.provider)}. This is a simulated provider; ${escape(form.note)}.</p>
<form method="post" action="${escape(form.action)}">${hidden.join('')}
<fieldset><legend>Whose data</legend>${people.join('')}</fieldset>
<fieldset><legend>Which data</legend>${boxes.join('')}</fieldset>
<button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></form>`,
  );
}

/** Shown instead of a redirect when the redirect address cannot be trusted. */
export function consentErrorPage(message: string): string {
  return page('This link does not work', `<p>${escape(message)}</p>`);
}
