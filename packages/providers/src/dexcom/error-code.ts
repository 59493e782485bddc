import { JsonNode } from '../kit/values/json-node.ts';

/** Share returns status 500 for every error; `Code` distinguishes them. */
export function readCode(body: unknown): { readonly code: string; readonly message: string } | null {
  const node = new JsonNode(body);
  const code = node.at('Code').value;
  const message = node.at('Message').value;
  return typeof code === 'string' ? { code, message: typeof message === 'string' ? message : '' } : null;
}

const sessionCodes = new Set(['SessionIdNotFound', 'SessionNotValid']);
const credentialCodes = new Set(['AccountPasswordInvalid', 'SSO_AuthenticateAccountNotFound', 'SSO_AuthenticatePasswordInvalid']);

export const lockedCode = 'SSO_AuthenticateMaxAttemptsExceeded';

export function isSessionGone(body: unknown): boolean {
  return sessionCodes.has(readCode(body)?.code ?? '');
}

/** True for a wrong user name or password. Share returns the same for a valid account in another region. */
export function isCredentialRefusal(body: unknown): boolean {
  const refusal = readCode(body);
  if (!refusal) return false;
  const { code, message } = refusal;
  if (credentialCodes.has(code)) return true;
  if (code === 'SSO_InternalError') return /cannot authenticate by account ?(?:name|id)/i.test(message);
  return code === 'InvalidArgument' && /accountname|password|uuid/i.test(message);
}
