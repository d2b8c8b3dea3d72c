import { AgentDatabaseBuilder } from '../builders/agent-database'
import { TranscriptBuilder } from '../builders/transcript'

/** The key of the session, which is `s1` in the database. */
export const GATEWAY_KEY = 'agent:main:main'

/** What a gateway writes that compacts the session. */
export const GATEWAY_RECORD = {
  type: 'compaction',
  id: 'gate0001',
  parentId: 'e24',
  timestamp: '2026-11-01T09:00:00.000Z',
  summary: 'By the gateway.',
  firstKeptEntryId: 'e21',
  tokensBefore: 9000,
}

/** OpenClaw's database with one session of twelve turns; its command is asked to compact it. */
export function gatewayDatabase(file: string): AgentDatabaseBuilder {
  const database = new AgentDatabaseBuilder(file, { wal: true })
  const transcript = new TranscriptBuilder({ version: 4 })
  for (let i = 0; i < 12; i++) {
    transcript.user(`Please do part ${i}. ${'word '.repeat(200)}`)
    transcript.assistant(`Part ${i} is done.`, { usage: { input: 500 + i * 300, output: 20 } })
  }
  const entry = { sessionId: 's1', contextTokens: 64_000, model: 'm' }
  return database.session({ id: 's1', key: GATEWAY_KEY, rows: transcript.lines, entry })
}
