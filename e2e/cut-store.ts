import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { ask } from './ask'
import { dashboard } from './world'

/** What the server of the model cuts prompts to. Tokens. */
const LIMIT = 4_096
const ROUNDS = 30

/** An agent that compacts before every call and can not get below its line: its model server cuts each prompt. */
export type CutStore = { readonly url: string }

export const test = dashboard({
  name: 'cut',
  write: (folder) => {
    const sessions = join(folder, 'harbour', 'agents', 'main', 'sessions')
    mkdirSync(sessions, { recursive: true })
    writeFileSync(join(folder, 'harbour', 'openclaw.json'), "{ meta: { lastTouchedVersion: '2026.7.1' } }\n")
    writeFileSync(join(sessions, 'forgetful.jsonl'), forgetful())
    return { PLIMSOLL_STORES: join(folder, 'harbour') }
  },
  ready: ({ url }) =>
    ask(`${url}/api/findings?severity=high&limit=1`, (answer) =>
      (answer as { total: number }).total > 0 ? null : undefined,
    ),
  view: ({ url }): CutStore => ({ url }),
})

function forgetful(): string {
  const builder = new TranscriptBuilder({ id: 'forgetful' })
  const over = { timestamp: new Date(Date.now() - 60_000).toISOString() }
  builder.entry('session_info', { name: 'Forgetful pilot', ...over })
  for (let round = 0; round < ROUNDS; round++) {
    const asked = builder.user(
      `Berth ${round}: ${'which ship lies there, and since when? '.repeat(700)}`,
      over,
    )
    if (round > 3) builder.compaction('The pilot looks at berths. '.repeat(20), asked, over)
    builder.assistant('It is free.', { usage: { input: LIMIT, output: 10, cost: 0 }, over })
  }
  return builder.text()
}
