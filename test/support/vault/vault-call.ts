import http from 'node:http';
import https from 'node:https';

export interface VaultAddress {
  readonly url: string;
  readonly token: string;
  /** PEM. */
  readonly ca: string | undefined;
}

export interface VaultReply {
  readonly auth?: { readonly client_token: string };
}

/** A call as the administrator of the Vault. Throws for every refusal except that something already exists. */
export function vaultCall({ url, token, ca }: VaultAddress, path: string, body: object, asToken = token): Promise<VaultReply> {
  return new Promise((resolve, reject) => {
    const target = new URL(`/v1/${path}`, url);
    const options: https.RequestOptions = {
      method: 'POST',
      agent: false,
      headers: { 'x-vault-token': asToken },
      ...(ca !== undefined && { ca }),
    };
    const request = (target.protocol === 'https:' ? https : http).request(target, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const status = response.statusCode ?? 0;
        if (status < 300 || text.includes('path is already in use')) resolve(text === '' ? {} : (JSON.parse(text) as VaultReply));
        else reject(new Error(`${path}: ${status} ${text}`));
      });
    });
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}
