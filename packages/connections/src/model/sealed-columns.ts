import type { SealedColumn } from '@pulsewire/database';
import { itemContext, tokenContext, consentSealContext, sessionSealContext, credentialContext } from './seal-contexts.ts';

function column(table: string, name: string, contextColumns: readonly string[], context: (...values: string[]) => string): SealedColumn {
  return { table, column: name, contextColumns, context: (values) => context(...values) };
}

const tokens = (table: string) =>
  ['access_token', 'refresh_token'].map((name) => column(table, name, ['connection_id'], (connectionId) => tokenContext(connectionId)));

/** Every encrypted column of this package, for key rotation. */
export const connectionSealedColumns: readonly SealedColumn[] = [
  column('team_oauth_credentials', 'client_secret', ['team_id', 'provider'], (teamId, provider) => credentialContext(teamId, provider)),
  ...tokens('connection_tokens'),
  ...tokens('deregistrations'),
  column('link_sessions', 'code_verifier', ['session_id'], (sessionId) => sessionSealContext(sessionId)),
  column('link_sessions', 'mfa_ticket', ['session_id'], (sessionId) => sessionSealContext(sessionId)),
  column('link_consents', 'token_answer', ['consent_id'], (consentId) => consentSealContext(consentId)),
  ...(['access_token', 'refresh_token'] as const).map((name) =>
    column('bulk_items', name, ['operation_id', 'item'], (operationId, item) => itemContext(operationId, item, name)),
  ),
];
