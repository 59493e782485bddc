import { X509Certificate } from 'node:crypto';

const blocks = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/** Whether a text is one or more certificates in PEM. TLS ignores a file of authorities that has none, and then trusts nobody. */
export function isCertificates(pem: string): boolean {
  const found = pem.match(blocks) ?? [];
  try {
    return found.length > 0 && found.every((block) => new X509Certificate(block).serialNumber !== '');
  } catch {
    return false;
  }
}
