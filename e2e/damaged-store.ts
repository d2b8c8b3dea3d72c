import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { sessionPage } from './ask'
import { dashboard } from './world'

/** A damaged session, of this test alone, in an OpenClaw store. */
export type DamagedStore = {
  readonly url: string
  readonly file: string
  /** The database of the dashboard, a file. */
  readonly database: string
  /** The Integrity page of the session. */
  page(): Promise<string>
  bytes(): Buffer
}

const SESSIONS = join('store', 'agents', 'main', 'sessions')

let sessions = 0

export const test = dashboard({
  name: 'damaged',
  write: (folder) => {
    mkdirSync(join(folder, SESSIONS), { recursive: true })
    return { PLIMSOLL_STORES: join(folder, 'store') }
  },
  view: async ({ url, folder }): Promise<DamagedStore> => {
    const id = `damaged${++sessions}`
    const question = `Which berths are free, of ${id}?`
    const file = join(folder, SESSIONS, `${id}.jsonl`)
    writeFileSync(file, damaged(id, question))
    const page = await sessionPage(url, ({ title }) => title === question)
    const database = join(folder, 'state', 'plimsoll.db')
    return { url, file, database, page: async () => `${page}/integrity`, bytes: () => readFileSync(file) }
  },
})

/** A torn line, a call without a result, a result without a call, a blank user message, no newline at the end. */
function damaged(id: string, question: string): string {
  const session = new TranscriptBuilder({ id })
  session.user(question)
  session.assistant('', { calls: ['berths'] })
  session.user('Are you there?')
  session.result('nobody', 'lost')
  session.user(' ')
  session.assistant('Berth 4 is free.')
  const lines = session.lines.toSpliced(3, 0, '{"type":"message","id":"torn","parentId":"e2","timest')
  return lines.join('\n')
}
