import { expect, test } from 'vitest'
import { foundStore } from '../../adapters/discovery/found-store'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { ClaudeCodeBuilder } from '../../testing/builders/foreign-lines'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import { findAgents } from './find-agents'
import type { FoundTranscript } from './ports'

test('sub-agents of Claude Code are found below their session and beside it', async () => {
  const lines = (text: string) => {
    const built = new ClaudeCodeBuilder()
    built.user(text)
    built.answer('m1', { type: 'text', text: 'Yes.' }, { input: 5, read: 900, output: 8 })
    return built.text()
  }
  const root = temporaryFolder()
  writeFiles(root, {
    'p/s1.jsonl': lines('Ask the others'),
    'p/s1/subagents/agent-abc.jsonl': lines('Count the barrels'),
    'p/agent-old.jsonl': lines('Weigh the anchor'),
    'p/s2.jsonl': lines('Something else'),
    'p/agent-other.jsonl': lines('Of another one').replaceAll('"s1"', '"s2"'),
  })
  const store = foundStore('claude-code', 'jsonl', root, 'test', 'ok')
  const reader = createStoreReader({ lastLine: 'take-whole' })
  const listed: { store: typeof store; transcript: FoundTranscript }[] = []
  for await (const transcript of reader.list(store)) listed.push({ store, transcript })
  const top = listed.find(({ transcript }) => transcript.sessionId === 's1')
  if (top === undefined) throw new Error('the session is not listed')
  const agents = await findAgents(reader, listed, top)
  expect(
    agents.map(({ session, depth }) => [session.transcript.sessionId, depth, session.totals.calls]).sort(),
  ).toEqual([
    ['agent-abc', 1, 1],
    ['agent-old', 1, 1],
  ])
})
