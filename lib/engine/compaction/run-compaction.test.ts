import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession } from '../../testing/memory-session'
import type { Gateway } from '../openclaw/gateway-port'
import type { TranscriptState } from '../read/ports'
import { compactorOf } from './run-compaction'

const gateway: Gateway = { compact: async () => ({ kind: 'stopped' }) }

async function session(era: 'jsonl' | 'sqlite', state: TranscriptState) {
  const text = new TranscriptBuilder().text()
  const { store, transcript } = await memorySession(text, { store: { era }, transcript: { state } })
  return { store, transcript, owner: null }
}

describe('D29 who compacts a session', () => {
  it.each([
    ['jsonl', gateway, 'plimsoll'],
    ['jsonl', null, 'plimsoll'],
    ['sqlite', gateway, 'gateway'],
    ['sqlite', null, null],
  ] as const)('D29 of a store of %s, gateway %o: %s', async (era, named, by) => {
    expect(compactorOf(await session(era, 'live'), named).by).toBe(by)
  })

  it('D29 no gateway is asked for an archive, since it would compact the live session of that key', async () => {
    const compactor = compactorOf(await session('sqlite', 'reset'), gateway)
    expect(compactor).toMatchObject({ by: null, why: expect.stringContaining('archived (reset)') })
  })

  it('D29 nor for what another harness keeps', async () => {
    const owner = { harness: 'codex', session: null }
    expect(compactorOf({ ...(await session('sqlite', 'live')), owner }, gateway)).toMatchObject({
      by: null,
      owner,
    })
  })
})
