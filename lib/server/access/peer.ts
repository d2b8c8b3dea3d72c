import 'server-only'
import { randomBytes } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { oncePerProcess } from '../process/process-memory'

/**
 * The header in which this process notes who is connected. Next.js leaves a client’s `x-forwarded-for` as it is, and gives
 * the connection itself to no proxy; a name that is random in each process cannot be sent by a client.
 */
function peerHeader(): string {
  return oncePerProcess('peer header', () => `x-plimsoll-peer-${randomBytes(16).toString('hex')}`)
}

/** Has every request to this process carry the address of its connection, before anything else sees the request. */
export function notePeers(): void {
  const header = peerHeader()
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { readonly request: IncomingMessage }
    request.headers[header] = request.socket.remoteAddress
  })
}

/** The address that a request came from over its connection; what the client says of itself does not count. */
export function peerOf(headers: Headers): string {
  const noted = headers.get(peerHeader())
  // A socket for both families writes IPv4 as a part of IPv6.
  return noted === null ? 'an unknown address' : noted.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Takes the note off headers that are given on. */
export function removePeer(headers: Headers): void {
  headers.delete(peerHeader())
}
