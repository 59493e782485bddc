import { isIP } from 'node:net';
import { parsePostgresUrl, postgresUrlText } from '@pulsewire/kernel';
import { Set as setFormat } from 'typebox/format';

/** The characters that RFC 3986 allows, without the number sign: no request contains what follows it. */
const urlForm = /^https?:\/\/[\w.~:[\]@!$&'()*+,;=%-][\w.~:/?[\]@!$&'()*+,;=%-]*$/i;
const urlLengthMax = 2048;

/**
 * As it is used: `URL` repairs blanks, backslashes, invisible characters, a missing slash and `..`, but the text itself is sent to others and
 * appended to.
 */
function isAnyUrl(text: string): boolean {
  return text.length <= urlLengthMax && urlForm.test(text) && !/\/\.{1,2}(?:\/|$)/.test(text) && URL.parse(text) !== null;
}

/** No request is sent with a user in its URL. */
const isHttpUrl = (text: string) => isAnyUrl(text) && !/^[^/]*\/\/[^/?]*@/.test(text);

/** Whether user and password can be read; they are sent without their percent signs. */
function hasReadableUser(text: string): boolean {
  try {
    return decodeURIComponent(/\/\/([^/]*)@/.exec(text)?.[1] ?? '') !== null;
  } catch {
    return false;
  }
}

/** The address without the brackets of a URL, in its shortest form: an IPv4 address in IPv6 begins with ::ffff: there. */
const shortestOf = (address: string) => URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address;

/** An address or a CIDR network. IPv4 addresses are compared without `::ffff:`, and zones exist on one machine only. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%') || shortestOf(address).startsWith('::ffff:')) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const nameForm = /^(?!-)[\w-]{1,63}(?:\.[\w-]{1,63})*\.?$/;

/** An address, or a name that does not look like a mistyped address. */
const isHost = (text: string) => isIP(text) !== 0 || (nameForm.test(text) && !/^[\d.]+$/.test(text));

function isBroker(text: string): boolean {
  const [, address, name, port] = /^(?:\[([\da-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  return isHost(address ?? name ?? '') && Number(port) >= 1 && Number(port) <= 65_535;
}

interface Format {
  /** Completes "NAME must be …"; for formats of a list's items, of the whole list. */
  readonly text: string;
  has(text: string): boolean;
}

/** Formats of settings, in addition to TypeBox's own. */
const formats: Readonly<Record<string, Format>> = {
  workers: { text: 'auto, or a whole number from 1 to 64', has: (text) => text === 'auto' || /^(?:[1-9]|[1-5]\d|6[0-4])$/.test(text) },
  'http-url': {
    text: 'a URL that starts with http:// or https://, in ASCII without blanks, quotes and backslashes, and without .., user and fragment',
    has: isHttpUrl,
  },
  'base-url': {
    text: 'a URL that starts with http:// or https://, in ASCII without blanks, quotes and backslashes, and without .., user, query or fragment, because paths are appended to it',
    has: (text) => isHttpUrl(text) && !text.includes('?'),
  },
  'registry-url': {
    text: 'a URL that starts with http:// or https://, in ASCII without blanks, quotes and backslashes, and without .., query or fragment, because paths are appended to it; a user and a password in it are allowed',
    has: (text) => isAnyUrl(text) && !text.includes('?') && hasReadableUser(text),
  },
  'postgres-url': { text: postgresUrlText, has: (text) => parsePostgresUrl(text) !== null },
  network: {
    text: 'addresses or networks like 10.0.0.0/8, separated by commas, those of IPv4 without ::ffff: and those of IPv6 without a zone',
    has: isNetwork,
  },
  host: { text: 'a host name, or an address like 127.0.0.1 or ::1, without brackets', has: isHost },
  broker: { text: 'brokers like broker.example:9092, separated by commas', has: isBroker },
  'header-value': { text: 'visible ASCII characters without blanks', has: (text) => /^[\x21-\x7e]+$/.test(text) },
};

for (const [name, format] of Object.entries(formats)) setFormat(name, format.has);

export const formatText = (name: string): string => formats[name]?.text ?? `text in the format ${name}`;
