import type { Account } from '../accounts/types.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

/** The page on which a person chooses an account, ticks scopes and allows or denies. Plain HTML: no script, no style from elsewhere. */
export function consentPage(request: AuthorizeRequest, accounts: readonly Account[]): string {
  const hidden = Object.entries(request.parameters).map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  );
  const people = accounts.map(
    (account, place) =>
      `<label><input type="radio" name="account" value="${escape(account.name)}"${place === 0 ? ' checked' : ''}> ${escape(account.name)} <small>${escape(account.zone.name)}</small></label>`,
  );
  const boxes = request.scopes.map(
    (scope) => `<label><input type="checkbox" name="granted" value="${escape(scope)}" checked> ${escape(scope)}</label>`,
  );
  return page(
    'Share your data?',
    `<p><b>${escape(request.clientId)}</b> asks for access. This is a simulated provider; the data was recorded by volunteers.</p>
<form method="post" action="/oauth2/authorize">${hidden.join('')}
<fieldset><legend>Whose data</legend>${people.join('')}</fieldset>
<fieldset><legend>Which data</legend>${boxes.join('')}</fieldset>
<button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></form>`,
  );
}

/** Shown instead of a redirect where the place to redirect to cannot be trusted. */
export function consentErrorPage(message: string): string {
  return page('This link does not work', `<p>${escape(message)}</p>`);
}

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px/1.5 system-ui;max-width:34rem;margin:3rem auto;padding:0 1rem}label{display:block}fieldset{margin:1rem 0}button{font:inherit;padding:.4rem 1.2rem}</style>
<h1>${title}</h1>${content}</html>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
