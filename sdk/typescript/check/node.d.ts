// What the examples use of Node.js, so that checking them takes no package. A project of your own has @types/node.

declare const process: { env: Record<string, string | undefined> };
declare class Buffer extends Uint8Array { static concat(list: readonly Uint8Array[]): Buffer; }

declare module 'node:http' {
  interface IncomingMessage extends AsyncIterable<Uint8Array> { headers: Record<string, string | string[] | undefined> }
  interface ServerResponse { writeHead(status: number): ServerResponse; end(text?: string): void }
  export function createServer(handle: (request: IncomingMessage, response: ServerResponse) => unknown): { listen(port: number, host: string): void };
}

// These are not checked: the examples' own modules and their calls of the library are.
declare module 'node:fs';
declare module 'node:crypto';
declare module 'express';
declare module 'next/navigation';
