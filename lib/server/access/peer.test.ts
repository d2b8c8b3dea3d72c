import { readFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NextRequest } from 'next/server'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { proxy } from '@/proxy'
import { temporaryFolder } from '../../testing/store-folder'
import { oncePerProcess } from '../process/process-memory'
import { notePeers, peerOf } from './peer'

const TOKEN = 'a-token-that-the-operator-chose'

type Attempt = { readonly token: string; readonly from?: string; readonly says?: Record<string, string> }

/** A server that hands each request to the proxy as Next.js does, which keeps a client's `x-forwarded-for`. */
async function serve() {
  oncePerProcess('peers noted', notePeers)
  const peers: string[] = []
  const server = createServer(async (incoming, response) => {
    incoming.headers['x-forwarded-for'] ??= incoming.socket.remoteAddress
    const headers = new Headers(incoming.headers as Record<string, string>)
    peers.push(peerOf(headers))
    const answer = await proxy(new NextRequest(`http://${headers.get('host')}${incoming.url}`, { headers }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end()
  })
  // Of both families where there are both, as a server for every address listens.
  await new Promise<void>((done) => server.listen(0, done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const attempt = ({ token, from = '127.0.0.1', says = {} }: Attempt) =>
    new Promise<{ status: number; headers: object }>((resolve, reject) => {
      const headers = { ...says, authorization: `Bearer ${token}` }
      const to = { host: '127.0.0.1', port, path: '/api/x', localAddress: from, headers, agent: false }
      send(to, (answer) => resolve({ status: answer.statusCode ?? 0, headers: answer.resume().headers }))
        .on('error', reject)
        .end()
    })
  return { attempt, peers }
}

beforeEach(() => {
  vi.stubEnv('PLIMSOLL_HOME', temporaryFolder())
  vi.spyOn(console, 'error').mockImplementation(() => {})
  forgetDoor()
  onTestFinished(forgetDoor)
})

/** The door is one for a process, and reads its environment once. */
function forgetDoor(): void {
  const holder = globalThis as { [key: symbol]: Map<string, unknown> | undefined }
  holder[Symbol.for('plimsoll.process-memory')]?.delete('door')
}

// Elsewhere a machine has one address by default.
describe.runIf(process.platform === 'linux')(
  'X20 wrong tokens count for the connection they came over',
  () => {
    it('and not for an address that the client names, so that they lock no other client out', async () => {
      vi.stubEnv('PLIMSOLL_TOKEN', TOKEN)
      const { attempt, peers } = await serve()
      const says = {
        'x-forwarded-for': '10.0.0.9, 127.0.0.1',
        forwarded: 'for=127.0.0.1',
        'x-real-ip': '127.0.0.1',
      }
      const wrong = { token: 'wrong', from: '127.0.0.2', says }
      const statuses = []
      for (let i = 0; i < 7; i++) statuses.push((await attempt(wrong)).status)
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
      expect(new Set(peers)).toEqual(new Set(['127.0.0.2']))
      expect((await attempt({ token: TOKEN })).status).toBe(200)
      // Another name for each try is no way around the wait.
      const other = { ...wrong, says: { 'x-forwarded-for': '10.0.0.10' } }
      expect((await attempt(other)).status).toBe(429)
    })

    it('and the token that was made here is let in at once, also over one that has to wait', async () => {
      vi.stubEnv('PLIMSOLL_TOKEN', '')
      const { attempt } = await serve()
      for (let i = 0; i < 6; i++) await attempt({ token: 'wrong' })
      expect((await attempt({ token: 'wrong' })).status).toBe(429)
      const token = readFileSync(`${process.env.PLIMSOLL_HOME}/token`, 'utf8').trim()
      const { status, headers } = await attempt({ token })
      expect(status).toBe(200)
      expect(JSON.stringify(headers)).not.toContain('x-plimsoll-peer')
    })
  },
)
