import { type Socket, isIP } from 'node:net';
import { AppError, type ErrorCode } from '@pulsewire/kernel';
import { buildConnector } from 'undici';
import type { AddressGuard } from '../address/address-guard.ts';
import { isPortAllowed } from '../address/ports.ts';
import { createNameResolver, type ResolveName } from '../address/resolve-name.ts';
import { raceAddresses, type OpenConnection, type StopRace } from './race-addresses.ts';
import { sliceReads } from './slice-reads.ts';
import { watchResponses } from './watch-responses.ts';

/**
 * Closes a connection on which more than `bytesMax` (at most twice as much) arrives without a request in between. Counts every byte,
 * including those that the parser does not expose: chunk extensions, blank lines before the status, interim responses, an endless reason
 * phrase, and unrequested data. The error is AppError `response_too_large`.
 */
function capResponses(socket: Socket, bytesMax: number): void {
  let countedFrom = 0;
  let writtenBefore = 0;
  socket.on('readable', () => {
    if (socket.bytesRead - countedFrom <= bytesMax) return;
    // Checked only here because it is expensive compared to the rest of a response. If we have written since, the bytes belong to a new
    // request.
    const { bytesWritten } = socket;
    if (bytesWritten === writtenBefore)
      return void socket.destroy(
        new AppError({ code: 'response_too_large', kind: 'upstream', message: 'Response exceeds the size limit' }),
      );
    writtenBefore = bytesWritten;
    countedFrom = socket.bytesRead;
  });
}

interface GuardedConnectorOptions {
  readonly guard: AddressGuard;
  /** Name, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** Bytes that may arrive for one request, headers and framing included. */
  readonly responseBytesMax: number;
  readonly resolveName?: ResolveName;
  /** Additional trusted certificates (PEM), for receivers with a private certificate authority. */
  readonly ca?: string;
}

// Trying more addresses would only use up the deadline.
const addressesTriedMax = 3;

function outboundError(code: ErrorCode, message: string, cause?: unknown): AppError {
  return new AppError({ code, kind: 'upstream', message, ...(cause === undefined ? {} : { cause }) });
}

async function addressesOf(
  { hostname: host, port }: { readonly hostname: string; readonly port: string },
  resolveName: ResolveName,
  guard: AddressGuard,
): Promise<readonly string[]> {
  if (!isPortAllowed(port)) throw outboundError('address_blocked', 'This port is not allowed');
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  const addresses = isIP(literal)
    ? [literal]
    : await resolveName(host).catch((cause: unknown) => Promise.reject(outboundError('dns_failed', 'The name cannot be resolved', cause)));
  if (addresses.length === 0) throw outboundError('dns_failed', 'The name has no address');
  // One forbidden address is enough to refuse the name: mixing public and private addresses suggests an attack.
  if (!addresses.every((address) => guard.allows(address))) throw outboundError('address_blocked', 'This address is not allowed');
  return addresses.slice(0, addressesTriedMax);
}

/**
 * A connector for undici that resolves a name once, checks every address, and connects to a checked one, so that the name cannot resolve to
 * another address in between. When one is silent, the next is tried as well (RFC 8305). TLS is verified against the name. Errors are AppErrors `dns_failed`, `address_blocked` and `connect_timeout`,
 * and those of the system.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { guard, connectTimeoutMs, responseBytesMax, resolveName = createNameResolver() } = options;
  const connect = buildConnector({ timeout: 0, allowH2: false, keepAlive: true, ...(options.ca === undefined ? {} : { ca: options.ca }) });

  return (target, callback) => {
    let isOver = false;
    let stop: StopRace = () => {};
    const finish = (...result: Parameters<buildConnector.Callback>): void => {
      if (isOver) return void result[1]?.destroy();
      isOver = true;
      clearTimeout(timer);
      if (result[0] === null) {
        capResponses(result[1], responseBytesMax);
        sliceReads(result[1]);
        watchResponses(result[1]);
      }
      callback(...result);
    };
    const timer = setTimeout(() => {
      finish(outboundError('connect_timeout', 'The connection could not be opened in time'), null);
      stop();
    }, connectTimeoutMs);

    const open: OpenConnection = (address, done) => {
      const hostTarget = {
        ...target,
        hostname: address,
        ...(isIP(target.hostname) || target.hostname.startsWith('[') ? {} : { servername: target.servername || target.hostname }),
      };
      // undici returns the socket, which its types do not say.
      return connect(hostTarget, done) as unknown as Socket;
    };
    addressesOf(target, resolveName, guard).then(
      (addresses) => {
        if (!isOver) stop = raceAddresses(addresses, open, (...result) => finish(...(result as Parameters<buildConnector.Callback>)));
      },
      (error: Error) => finish(error, null),
    );
  };
}
