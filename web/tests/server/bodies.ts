// Bodies of requests as the service in memory reads them, and its refusals.
import type { IncomingMessage } from 'node:http';

export interface Part {
  name: string;
  filename: string | null;
  body: Buffer;
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly more: Record<string, unknown> = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

export async function body(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    total += chunk.length;
    // The rest is read too, so that the browser reads the answer.
    if (total <= limit) chunks.push(chunk);
  }
  if (total > limit)
    throw new Refused(
      413,
      `the upload has ${total} bytes, and at most ${limit} are taken; leave out what is not to be compared`,
    );
  return Buffer.concat(chunks);
}

export async function json(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (request.headers['content-type'] !== 'application/json') throw new Refused(415, 'this route takes JSON');
  return JSON.parse((await body(request, 1 << 16)).toString()) as Record<string, unknown>;
}

/** Takes a form apart; its files are small. */
export async function multipart(request: IncomingMessage, limit: number): Promise<Part[]> {
  const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1];
  if (!boundary) throw new Refused(415, 'this route takes multipart/form-data');
  const all = await body(request, limit);
  const marker = Buffer.from(`--${boundary}`);
  const parts: Part[] = [];
  for (let at = all.indexOf(marker); at >= 0;) {
    const next = all.indexOf(marker, at + marker.length);
    if (next < 0) break;
    const part = all.subarray(at + marker.length + 2, next - 2);
    const split = part.indexOf('\r\n\r\n');
    const head = part.subarray(0, split).toString();
    parts.push({
      name: /[; ]name="([^"]*)"/.exec(head)?.[1] ?? '',
      filename: /filename="([^"]*)"/.exec(head)?.[1] ?? null,
      body: part.subarray(split + 4),
    });
    at = next;
  }
  return parts;
}
