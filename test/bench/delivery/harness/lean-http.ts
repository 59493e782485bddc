const headEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);

/** Splits the bytes of one connection into requests with a `content-length`, the only kind that a webhook sender writes. */
export function createRequestReader(onRequest: (path: string, body: Buffer) => void): (chunk: Buffer) => void {
  let bytes: Buffer = nothing;
  return (chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    for (;;) {
      const end = bytes.indexOf(headEnd);
      if (end < 0) return;
      const head = bytes.toString('latin1', 0, end);
      const bodyAt = end + headEnd.length;
      const bodyEnd = bodyAt + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (bytes.length < bodyEnd) return;
      const pathAt = head.indexOf(' ') + 1;
      onRequest(head.slice(pathAt, head.indexOf(' ', pathAt)), bytes.subarray(bodyAt, bodyEnd));
      bytes = bytes.subarray(bodyEnd);
    }
  };
}

const numberMark = Buffer.from('"n":');

/** The number that the publisher put into `data` of an event; -1 when there is none. */
export function numberIn(body: Buffer): number {
  let at = body.indexOf(numberMark);
  if (at < 0) return -1;
  at += numberMark.length;
  let number = 0;
  for (let digit = body[at]; digit !== undefined && digit >= 48 && digit <= 57; digit = body[++at]) number = number * 10 + digit - 48;
  return number;
}
