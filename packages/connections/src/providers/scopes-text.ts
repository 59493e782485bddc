import { AppError } from '@pulsewire/kernel';
import type { Connector } from '@pulsewire/providers';

/** Whether the scopes that a connector requests can be chosen: it has any, and sends them to the consent page. */
export const hasScopesSetting = ({ oauth }: Connector): boolean =>
  oauth !== null && oauth.scopeSeparator !== null && oauth.scopes.length > 0;

const listed = (text: string): readonly string[] => [...new Set(text.split(/[\s,]+/).filter((scope) => scope !== ''))];

/** What is wrong with a choice of scopes, for the operator; null: nothing. */
export function scopesProblem({ oauth }: Connector, text: string): string | null {
  const { scopes = [], optionalScopes = [], essentialScopes = [] } = oauth ?? {};
  const chosen = listed(text);
  const known = [...scopes, ...optionalScopes];
  const unknown = chosen.filter((scope) => !known.includes(scope));
  const missing = essentialScopes.filter((scope) => !chosen.includes(scope));
  if (chosen.length === 0) return 'a list of at least one scope';
  if (unknown.length > 0) return `a list without ${unknown.join(', ')}; known scopes: ${known.join(' ')}`;
  return missing.length > 0 ? `a list with ${missing.join(' ')}, which linking needs` : null;
}

/** The connector that requests only the scopes which the operator chose. Throws AppError `config_invalid`. */
export function withScopes(connector: Connector, text: string | null): Connector {
  const { oauth } = connector;
  if (text === null || oauth === null || !hasScopesSetting(connector)) return connector;
  const problem = scopesProblem(connector, text);
  if (problem === null) {
    const scopes = listed(text);
    const separator = oauth.scopeSeparator ?? ' ';
    // Some providers want the scopes again with the code.
    const repeats = oauth.exchangeParams?.['scope'] === oauth.scopes.join(separator);
    const exchangeParams = repeats ? { exchangeParams: { ...oauth.exchangeParams, scope: scopes.join(separator) } } : {};
    return { ...connector, oauth: { ...oauth, scopes, ...exchangeParams } };
  }
  const problems = [`PROVIDER_${connector.slug.toUpperCase()}_SCOPES must be ${problem}`];
  throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems } });
}
