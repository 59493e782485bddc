import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate, privateKey } from './certificate.ts';
import type { GivenVault } from './vault-control.ts';

interface Reply {
  readonly status: number;
  readonly body?: object;
}

interface Json {
  readonly plaintext?: string;
  readonly ciphertext?: string;
  readonly associated_data?: string;
  readonly policy?: string;
  readonly policies?: readonly string[];
  readonly token?: string;
  readonly ttl?: string;
  readonly increment?: string;
  readonly key?: string;
  readonly min_decryption_version?: number;
}

const refused = (status: number, ...errors: string[]): Reply => ({ status, body: { errors } });
const data = (value: object): Reply => ({
  status: 200,
  body: {
    request_id: randomUUID(),
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data: value,
    wrap_info: null,
    warnings: null,
    auth: null,
  },
});

/** Expiry of a duration such as `5s` or `768h` from now. */
const untilMs = (life: string) => performance.now() + Number.parseInt(life, 10) * (life.endsWith('h') ? 3_600_000 : 1000);

/** The versions of one key of the transit engine. */
class TransitKey {
  readonly versions = [randomBytes(32)];
  decryptedFrom = 1;

  encrypt(plain: Buffer, aad: Buffer): Reply {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.versions.at(-1) as Buffer, nonce).setAAD(aad);
    const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return data({ ciphertext: `vault:v${this.versions.length}:${sealed.toString('base64')}`, key_version: this.versions.length });
  }

  decrypt(text: string, aad: Buffer): Reply {
    const [, version, encoded = ''] = /^vault:v(\d+):(.+)$/.exec(text) ?? [];
    const key = this.versions[Number(version) - 1];
    if (version === undefined) return refused(400, 'invalid ciphertext: no prefix');
    if (!key) return refused(400, 'invalid ciphertext: version is too new');
    if (Number(version) < this.decryptedFrom) return refused(400, 'ciphertext or signature version is disallowed by policy (too old)');
    const sealed = Buffer.from(encoded, 'base64');
    if (sealed.length < 12 + 16) return refused(400, 'invalid ciphertext length');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(aad).setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
      return data({ plaintext: plain.toString('base64') });
    } catch {
      return refused(400, 'cipher: message authentication failed');
    }
  }
}

/**
 * Implements the part of Vault's HTTP interface that the tests use, with the statuses and bodies of Vault 1.14, and refuses what Vault
 * refuses. Policies are stored as paths with capabilities.
 */
class Vault {
  readonly rootToken = `hvs.${randomBytes(12).toString('hex')}`;
  readonly #keys = new Map<string, TransitKey>();
  readonly #policies = new Map<string, string>();
  readonly #tokens = new Map<string, { policy: string; untilMs: number }>();
  readonly unsealKey = randomBytes(32).toString('hex');
  #isSealed = false;
  #isMounted = false;

  #isKnown(token: string): boolean {
    return token === this.rootToken || (this.#tokens.get(token)?.untilMs ?? 0) > performance.now();
  }

  #mayNot(token: string, path: string, capability: string): boolean {
    if (token === this.rootToken) return false;
    if (path === 'auth/token/renew-self') return false;
    const policy = this.#policies.get(this.#tokens.get(token)?.policy ?? '') ?? '';
    const rule = policy.split('}').find((part) => part.includes(`path "${path}"`));
    return rule?.includes(`"${capability}"`) !== true;
  }

  handle(path: string, token: string, body: Json): Reply {
    if (path === 'sys/unseal' && body.key === this.unsealKey) this.#isSealed = false;
    if (this.#isSealed) return refused(503, 'Vault is sealed');
    if (path === 'sys/unseal') return { status: 200, body: { sealed: false } };
    const [, operation = '', name = ''] = /^transit\/(encrypt|decrypt)\/([\w.-]+)$/.exec(path) ?? [];
    const key = this.#keys.get(name);
    const capability = operation === 'encrypt' && !key ? 'create' : 'update';
    if (!this.#isKnown(token)) return refused(403, 'permission denied');
    if (this.#mayNot(token, path, capability)) return refused(403, '1 error occurred:\n\t* permission denied\n\n');
    if (operation !== '') {
      if (!key) return refused(400, 'encryption key not found');
      const aad = Buffer.from(body.associated_data ?? '', 'base64');
      return operation === 'encrypt'
        ? key.encrypt(Buffer.from(String(body.plaintext), 'base64'), aad)
        : key.decrypt(String(body.ciphertext), aad);
    }
    const [, made = '', change] = /^transit\/keys\/([\w.-]+)(\/rotate|\/config)?$/.exec(path) ?? [];
    if (made !== '') {
      const known = this.#keys.get(made) ?? new TransitKey();
      this.#keys.set(made, known);
      if (change === '/rotate') known.versions.push(randomBytes(32));
      if (change === '/config') known.decryptedFrom = body.min_decryption_version ?? 1;
      return data({ name: made, type: 'aes256-gcm96', latest_version: known.versions.length, min_decryption_version: known.decryptedFrom });
    }
    const [, policy] = /^sys\/policies\/acl\/([\w.-]+)$/.exec(path) ?? [];
    if (policy !== undefined) {
      this.#policies.set(policy, String(body.policy));
      return { status: 204 };
    }
    if (path === 'auth/token/create') {
      const created = `hvs.${randomBytes(12).toString('hex')}`;
      this.#tokens.set(created, { policy: String(body.policies?.[0]), untilMs: untilMs(body.ttl ?? '768h') });
      return { status: 200, body: { auth: { client_token: created } } };
    }
    if (path === 'auth/token/renew-self') {
      const renewed = this.#tokens.get(token);
      if (renewed) renewed.untilMs = untilMs(body.increment ?? '768h');
      return { status: 200, body: { auth: { client_token: token } } };
    }
    if (path === 'auth/token/revoke') {
      this.#tokens.delete(String(body.token));
      return { status: 204 };
    }
    if (path === 'sys/seal') {
      this.#isSealed = true;
      return { status: 204 };
    }
    if (path === 'sys/mounts/transit') {
      if (this.#isMounted) return refused(400, 'path is already in use at transit/');
      this.#isMounted = true;
      return { status: 204 };
    }
    return refused(404, `no handler for route "${path}". route entry not found.`);
  }
}

/** Listens with TLS; the certificate is in `certificate.ts`. */
export async function startVaultServer(): Promise<Omit<GivenVault, 'caFile'> & { stop(): Promise<void> }> {
  const vault = new Vault();
  const server = https.createServer({ cert: certificate, key: privateKey }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const path = /^\/v1\/(.+)$/.exec(request.url ?? '')?.[1] ?? '';
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Json;
      const reply = vault.handle(path, String(request.headers['x-vault-token'] ?? ''), body);
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body && JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: vault.rootToken,
    unsealKey: vault.unsealKey,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
