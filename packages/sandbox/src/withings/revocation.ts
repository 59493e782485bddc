import { createHmac, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { SimulatorParts } from '../kit/definition/definition.ts';

const responseOf = (status: number, body: object = {}) => (status === 0 ? { status, body } : { status, error: 'Invalid Params' });

/** Signed requests: one for a nonce, and one that ends a consent with it. The second shares its URL with the token endpoint. */
export function addRevocation(server: FastifyInstance, parts: SimulatorParts): void {
  const nonces = new Set<string>();
  const isSigned = (form: URLSearchParams, ...values: readonly string[]): boolean => {
    const secret = parts.applications.get(form.get('client_id') ?? '')?.clientSecret;
    return secret !== undefined && form.get('signature') === createHmac('sha256', secret).update(values.join(',')).digest('hex');
  };

  server.post('/v2/signature', (request, reply) => {
    const form = new URLSearchParams(String(request.body));
    const clientId = form.get('client_id') ?? '';
    if (!isSigned(form, 'getnonce', clientId, form.get('timestamp') ?? '')) return reply.send(responseOf(293));
    const nonce = randomUUID();
    nonces.add(nonce);
    return reply.send(responseOf(0, { nonce }));
  });

  server.addHook('preHandler', async (request, reply) => {
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
    if (request.url !== '/v2/oauth2' || form.get('action') !== 'revoke') return;
    const [clientId, nonce, userId] = ['client_id', 'nonce', 'userid'].map((key) => form.get(key) ?? '') as [string, string, string];
    if (!nonces.delete(nonce) || !isSigned(form, 'revoke', clientId, nonce)) return reply.send(responseOf(293));
    const grants = parts.grants.of(userId).filter((grant) => grant.clientId === clientId);
    // Only the newest consent, so that others of the same person stay in force.
    const last = grants.at(-1);
    if (last) parts.grants.endOne(last.grantId);
    if (grants.length <= 1) parts.pushes.remove(({ clientId: of, details }) => of === clientId && details['userid'] === userId);
    parts.save();
    return reply.send(responseOf(0));
  });
}
