import { lookup } from 'node:dns/promises';
import { AppError, errorCode, type ErrorCode } from '@pulsewire/kernel';

interface Address {
  readonly host: string;
  readonly port: number;
}

/** The error of a server that could not listen, with the setting that helps; errors of other kinds are returned unchanged. */
export function listenError(error: unknown, { host, port }: Address, settings: { readonly host: string; readonly port: string }): unknown {
  const refuse = (code: ErrorCode, message: string) => new AppError({ code, kind: 'conflict', message, cause: error });
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return refuse('port_taken', `Port ${port} is in use. Set ${settings.port} to another one, or to 0 for any free one.`);
    case 'EACCES':
      return refuse('port_not_allowed', `This user may not listen on port ${port}. Set ${settings.port} to one of at least 1024.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return refuse('host_unknown', `${host} is no address of this machine. Set ${settings.host} to one that is.`);
    default:
      return error;
  }
}

/**
 * The address to listen on: for `localhost`, where the framework would open a second server for IPv6, which has none of what was set up for
 * the first one, it is the first of its addresses.
 */
export async function oneAddress(host: string): Promise<string> {
  return host === 'localhost' ? (await lookup(host)).address : host;
}
