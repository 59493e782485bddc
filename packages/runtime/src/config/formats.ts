import { isIP } from 'node:net';
import { parsePostgresUrl } from '@pulsewire/kernel';
import { Set as setFormat } from 'typebox/format';

function hasScheme(text: string, schemes: readonly string[]): boolean {
  const scheme = URL.parse(text)?.protocol.slice(0, -1);
  return scheme !== undefined && schemes.includes(scheme);
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !hasScheme(text, ['http', 'https'])) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

/** An address or a CIDR network. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

interface Format {
  /** Completes "NAME must be …"; for formats of a list's items, of the whole list. */
  readonly text: string;
  has(text: string): boolean;
}

/** Formats of settings, in addition to TypeBox's own. */
const formats: Readonly<Record<string, Format>> = {
  'http-url': { text: 'a URL that starts with http:// or https://', has: (text) => hasScheme(text, ['http', 'https']) },
  'base-url': {
    text: 'a URL that starts with http:// or https://, without user, query or fragment, because paths are appended to it',
    has: isBaseUrl,
  },
  'postgres-url': {
    text: 'a URL that starts with postgres:// or postgresql://; several hosts are separated by commas',
    has: (text) => parsePostgresUrl(text) !== null,
  },
  network: { text: 'addresses or networks like 10.0.0.0/8, separated by commas', has: isNetwork },
};

for (const [name, format] of Object.entries(formats)) setFormat(name, format.has);

export const formatText = (name: string): string => formats[name]?.text ?? `text in the format ${name}`;
