import { X509Certificate } from 'node:crypto';

const blocks = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/** Whether a text is one or more certificates in PEM. TLS ignores a file of authorities that has none, and then trusts nobody. */
export function isCertificates(pem: string): boolean {
  const found = pem.match(blocks) ?? [];
  try {
    for (const block of found) new X509Certificate(block);
  } catch {
    return false;
  }
  return found.length > 0;
}
