import { expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession } from '../../testing/memory-session'
import type { FoundTranscript } from '../read/ports'
import { listCompactions } from './list-compactions'

it('X7 what was compacted or reset in a session, oldest first, and what its runtime noted of it', async () => {
  const session = new TranscriptBuilder()
  session.user('One.')
  const kept = session.user('Two.')
  const record = session.compaction('So far.', kept)
  session.entry('reset', { reason: 'new' })
  session.user('Three.')
  const runtime = { owner: 'openclaw', era: 'jsonl', version: null, files: [], own: null } as const
  const list = async (recorded?: readonly { readonly entryId: string; readonly reason: string }[]) => {
    const index = recorded === undefined ? null : ({ recorded } as unknown as FoundTranscript['index'])
    const { session: read } = await memorySession(session.text(), { transcript: { index } })
    return listCompactions(read, runtime)
  }
  expect(await list()).toMatchObject([
    { kind: 'compaction', seq: 3, summarised: [1], kept: [2] },
    { kind: 'reset', seq: 4 },
  ])
  const [noted] = await list([{ entryId: record, reason: 'manual' }])
  expect([(await list())[0]?.trigger, noted?.trigger]).toEqual([expect.not.stringMatching('asked'), 'asked'])
})
