import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

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

/** The versions of one key of the transit engine. */
class TransitKey {
  readonly versions = [randomBytes(32)];

  encrypt(plain: Buffer, aad: Buffer): Reply {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.versions.at(-1) as Buffer, nonce).setAAD(aad);
    const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return data({ ciphertext: `vault:v${this.versions.length}:${sealed.toString('base64')}`, key_version: this.versions.length });
  }

  decrypt(text: string, aad: Buffer): Reply {
    const [, version, encoded = ''] = /^vault:v(\d+):(.+)$/.exec(text) ?? [];
    const key = this.versions[Number(version) - 1];
    if (!key) return refused(400, 'invalid ciphertext: no prefix');
    const sealed = Buffer.from(encoded, 'base64');
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
 * Speaks the part of Vault's HTTP interface that the tests use, with the statuses and bodies of Vault 1.14, and refuses what Vault refuses.
 * Policies are kept as paths with capabilities.
 */
class Vault {
  readonly rootToken = `hvs.${randomBytes(12).toString('hex')}`;
  readonly #keys = new Map<string, TransitKey>();
  readonly #policies = new Map<string, string>();
  readonly #tokens = new Map<string, string>();

  #mayNot(token: string, path: string, capability: string): boolean {
    if (token === this.rootToken) return false;
    const policy = this.#policies.get(this.#tokens.get(token) ?? '') ?? '';
    const rule = policy.split('}').find((part) => part.includes(`path "${path}"`));
    return rule?.includes(`"${capability}"`) !== true;
  }

  handle(path: string, token: string, body: Json): Reply {
    const [, operation = '', name = ''] = /^transit\/(encrypt|decrypt)\/([\w.-]+)$/.exec(path) ?? [];
    const key = this.#keys.get(name);
    const capability = operation === 'encrypt' && !key ? 'create' : 'update';
    if (this.#mayNot(token, path, capability)) return refused(403, '1 error occurred:\n\t* permission denied\n\n');
    if (operation !== '') {
      if (!key) return refused(400, 'encryption key not found');
      const aad = Buffer.from(body.associated_data ?? '', 'base64');
      return operation === 'encrypt'
        ? key.encrypt(Buffer.from(String(body.plaintext), 'base64'), aad)
        : key.decrypt(String(body.ciphertext), aad);
    }
    const [, made = '', rotation] = /^transit\/keys\/([\w.-]+)(\/rotate)?$/.exec(path) ?? [];
    if (made !== '') {
      if (rotation) this.#keys.get(made)?.versions.push(randomBytes(32));
      else this.#keys.set(made, new TransitKey());
      return { status: 204 };
    }
    const [, policy] = /^sys\/policies\/acl\/([\w.-]+)$/.exec(path) ?? [];
    if (policy !== undefined) {
      this.#policies.set(policy, String(body.policy));
      return { status: 204 };
    }
    if (path === 'auth/token/create') {
      const created = `hvs.${randomBytes(12).toString('hex')}`;
      this.#tokens.set(created, String(body.policies?.[0]));
      return { status: 200, body: { auth: { client_token: created } } };
    }
    if (path === 'sys/mounts/transit') return { status: 204 };
    return refused(404, `no handler for route "${path}". route entry not found.`);
  }
}

export interface RunningVault {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

export async function startVaultServer(): Promise<RunningVault> {
  const vault = new Vault();
  const server = http.createServer((request, response) => {
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
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: vault.rootToken,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
